/** Options of `stackyard new`. */
export interface NewOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly eks?: string;
  readonly region?: string;
  readonly features?: string;
  readonly state?: string;
  readonly secrets?: string;
  readonly stack: string;
  readonly package?: string;
  readonly dryRun?: boolean;
}

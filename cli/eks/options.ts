export interface EksLockOptions {
  readonly stack: string;
  readonly kubernetesVersion?: string;
  readonly dryRun?: boolean;
}

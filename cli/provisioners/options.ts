export interface ProvisionerImportOptions {
  readonly stack: string;
  readonly default?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export interface ProvisionerShowOptions {
  readonly stack: string;
  readonly json?: boolean;
}

export interface UndrainOptions {
  readonly stack: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export interface DrainOptions extends UndrainOptions {
  readonly move?: boolean;
  readonly parallel?: number;
  readonly wait?: number;
}

export interface AdoptProvisionerOptions {
  readonly stack: string;
  readonly yes?: boolean;
}

export interface ImportOptions {
  readonly stack: string;
  readonly default?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export interface ShowOptions {
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

export interface AdoptOptions {
  readonly stack: string;
  readonly yes?: boolean;
}

import type { OutputOptions } from "../options/output";

export interface EksLockOptions {
  readonly stack: string;
  readonly kubernetesVersion?: string;
  readonly dryRun?: boolean;
}

export interface EksImportOptions {
  readonly region?: string;
  readonly stack?: string;
  readonly dryRun?: boolean;
}

export interface EksLeftoversOptions extends OutputOptions {
  readonly stack?: string;
  readonly cluster?: string;
  readonly region?: string;
  readonly blocking?: boolean;
}

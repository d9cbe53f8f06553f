import type { DeployOptions } from "../stack/deployChange";

export interface TerasliceOptions {
  readonly stack: string;
  /** A key of `stackyard:terasliceClusters`, or `default`. */
  readonly cluster?: string;
}

export type RenderOptions = TerasliceOptions & { readonly jobId: string; readonly exId: string };
export type ChangeOptions = TerasliceOptions & DeployOptions;
export type RegisterOptions = ChangeOptions & { readonly name?: string; readonly asset?: readonly string[] };
export type UpgradeOptions = ChangeOptions & { readonly jobsImage?: string; readonly timeout: number };
export type AwaitOptions = TerasliceOptions & { readonly status?: readonly string[]; readonly timeout: number };
export type RecoverOptions = TerasliceOptions & { readonly cleanup?: string };
export type LogOptions = TerasliceOptions & { readonly lines: number; readonly workers?: boolean };

export interface BuildOptions {
  readonly tag: string;
  readonly file?: string;
  readonly builder?: string;
  readonly platform?: string;
  readonly buildArg?: Readonly<Record<string, string>>;
  readonly push?: boolean;
}

export interface AssetBuildOptions {
  readonly out?: string;
  readonly node: number;
}

export type AssetRemoveOptions = TerasliceOptions & { readonly keep: number; readonly yes?: boolean };
export type TerasliceShowOptions = TerasliceOptions & { readonly json?: boolean };

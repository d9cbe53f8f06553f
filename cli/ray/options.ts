import type { DeployOptions } from "../stack/deployChange";
import type { RequestedCluster } from "./clusters";

export interface RayOptions {
  readonly stack: string;
}

export type UpOptions = RayOptions & DeployOptions & RequestedCluster;
export type RayListOptions = RayOptions & { readonly json?: boolean };
export type SubmitFlags = RayOptions & {
  readonly workingDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly pip?: readonly string[];
  readonly wait: boolean;
};

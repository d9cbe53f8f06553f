import type { DeployOptions } from "../stack/deployChange";
import type { RequestedCluster } from "./clusters";

export interface RayOptions {
  readonly stack: string;
}

export type UpOptions = RayOptions & DeployOptions & RequestedCluster;
export type RayListOptions = RayOptions & { readonly json?: boolean };

import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import type { TerasliceConfig } from "../job/settings";
import { masterComponent } from "./names";
import { TerasliceCluster, type TerasliceEndpoint } from "./terasliceCluster";

/** The masters of a platform: one without a name of its own, and others by their names. */
export interface TerasliceMastersConfig {
  readonly teraslice?: TerasliceConfig;
  readonly terasliceClusters: Readonly<Record<string, TerasliceConfig>>;
}

export interface TerasliceMasters {
  /** Outputs of the stack: `teraslice`, and `terasliceClusters` by name; each absent if there is none. */
  readonly outputs: {
    readonly teraslice?: pulumi.Output<TerasliceEndpoint>;
    readonly terasliceClusters?: Readonly<Record<string, pulumi.Output<TerasliceEndpoint>>>;
  };
  /** Their components. */
  readonly clusters: readonly TerasliceCluster[];
}

/** Makes each master, with its jobs. The platform has a cluster where it has one of them. */
export function terasliceMasters(
  { teraslice, terasliceClusters }: TerasliceMastersConfig,
  cluster: Cluster | undefined,
  opts?: pulumi.ComponentResourceOptions,
): TerasliceMasters {
  if (cluster === undefined) return { outputs: {}, clusters: [] };
  const make = (settings: TerasliceConfig, name?: string): TerasliceCluster =>
    new TerasliceCluster(masterComponent(name), { cluster, settings, jobs: settings.jobs }, opts);
  const single = teraslice && make(teraslice);
  const named = Object.entries(terasliceClusters).map(([name, settings]) => [name, make(settings, name)] as const);
  const endpoints = Object.fromEntries(named.map(([name, { endpoint }]) => [name, endpoint]));
  return {
    outputs: {
      ...(single && { teraslice: single.endpoint }),
      ...(named.length > 0 && { terasliceClusters: endpoints }),
    },
    clusters: [...(single ? [single] : []), ...named.map(([, master]) => master)],
  };
}

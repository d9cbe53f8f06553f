import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import type { TerasliceConfig } from "../job/settings";
import { masterComponent } from "../podConfig/names";
import { TerasliceCluster, type TerasliceEndpoint } from "./terasliceCluster";

/** The Teraslice masters of a platform: one without a name, and others by name. */
export interface TerasliceMastersConfig {
  readonly teraslice?: TerasliceConfig;
  readonly terasliceClusters: Readonly<Record<string, TerasliceConfig>>;
}

export interface TerasliceMasters {
  /** Stack outputs: `teraslice`, and `terasliceClusters` by name. Not set if there are none. */
  readonly outputs: {
    readonly teraslice?: pulumi.Output<TerasliceEndpoint>;
    readonly terasliceClusters?: Readonly<Record<string, pulumi.Output<TerasliceEndpoint>>>;
  };
  /** The components. */
  readonly clusters: readonly TerasliceCluster[];
}

/** Creates each master with its jobs, named by `nameOf`. `cluster` is defined if there is any master. */
export function terasliceMasters(
  { teraslice, terasliceClusters }: TerasliceMastersConfig,
  cluster: Cluster | undefined,
  opts?: pulumi.ComponentResourceOptions,
  nameOf = (role: string): string => role,
): TerasliceMasters {
  if (cluster === undefined) return { outputs: {}, clusters: [] };
  const make = (settings: TerasliceConfig, name?: string): TerasliceCluster =>
    new TerasliceCluster(nameOf(masterComponent(name)), { cluster, settings, jobs: settings.jobs }, opts);
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

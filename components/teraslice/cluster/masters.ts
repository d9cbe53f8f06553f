import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/cluster";
import type { TerasliceConfig } from "../job/settings";
import { masterComponent } from "../podConfig/names";
import { TerasliceCluster } from "./terasliceCluster";

/** The Teraslice masters of a platform. */
export interface TerasliceMastersConfig {
  /** Not set if not configured or disabled. */
  readonly teraslice?: TerasliceConfig;
  /** Additional enabled Teraslice clusters, by name. */
  readonly terasliceClusters: Readonly<Record<string, TerasliceConfig>>;
}

/**
 * Creates each master with its jobs, named by `nameOf`. `cluster` is defined if there is any master. The stack outputs
 * `teraslice`, and `terasliceClusters` by name, are not set if there are none.
 */
export function terasliceMasters(
  { teraslice, terasliceClusters }: TerasliceMastersConfig,
  cluster: Cluster | undefined,
  opts?: pulumi.ComponentResourceOptions,
  nameOf = (role: string): string => role,
) {
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

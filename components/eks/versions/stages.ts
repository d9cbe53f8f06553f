/** Splits a change of the Kubernetes version into the updates in which EKS makes it. Pure. */

import type { EksConfig } from "../../cluster/onEks/eksConfig";
import { POOL_LABEL } from "../../cluster/nodePool/plan";
import { nodeGroups } from "../../cluster/nodePool/pools";
import type { StateResources } from "../../resources/ownState";
import { minorOf, runningCluster } from "../changes";

interface Stage {
  readonly config: EksConfig;
  /** What the update leaves for the next one; undefined if nothing. */
  readonly note?: string;
  /** Whether the nodes are rolled back, and the control plane in the next update. Default: false. */
  readonly nodesFirst?: boolean;
}

const GROUP = "aws:eks/nodeGroup:NodeGroup";

/** Pools by the minor version of their groups in the state. */
function poolsAt(state: StateResources, fits: (minor: string) => boolean): ReadonlySet<string> {
  const found = Object.values(state).flatMap(({ type, outputs }) => {
    const { labels, version } = outputs as { labels?: Readonly<Record<string, string>>; version?: string };
    const pool = labels?.[POOL_LABEL];
    return type === GROUP && pool !== undefined && version !== undefined && fits(version) ? [pool] : [];
  });
  return new Set(found);
}

const withVersion = (config: EksConfig, names: readonly string[], version: string): EksConfig => ({
  ...config,
  nodePools: Object.fromEntries(
    Object.entries(config.nodePools).map(([name, pool]) => [name, names.includes(name) ? { ...pool, version } : pool]),
  ),
});

/**
 * The config of this update. An upgrade leaves the nodes at the running version, so that the control plane can be
 * rolled back; the next update upgrades them. A rollback begins with the nodes, because EKS rejects that of a control
 * plane with newer ones.
 */
export function stageOf(config: EksConfig, state: StateResources): Stage {
  const from = runningCluster(Object.values(state))?.version;
  if (from === undefined || from === config.version) return { config };
  const { version: to } = config;
  if (minorOf(to) < minorOf(from)) {
    const newer = poolsAt(state, (minor) => minorOf(minor) > minorOf(to));
    const names = Object.keys(nodeGroups(config)).filter((name) => newer.has(name));
    if (names.length === 0) return { config };
    return {
      config: withVersion({ ...config, version: from }, names, to),
      nodesFirst: true,
      note: `Nodes go back to ${to} first: ${names.join(", ")}. The control plane stays at ${from} in this update, and goes back in the next one.`,
    };
  }
  if (config.upgrade === "together") return { config };
  const running = poolsAt(state, (minor) => minor === from);
  const names = Object.entries(nodeGroups(config)).flatMap(([name, pool]) =>
    pool.version === undefined && running.has(name) ? [name] : [],
  );
  if (names.length === 0) return { config };
  return {
    config: withVersion(config, names, from),
    note:
      `The control plane goes to ${to} first. Nodes stay at ${from} in this update: ${names.join(", ")}. The next one updates them to ${to}; ` +
      "until then, the control plane can be rolled back. With cluster.upgrade: together, one update does both.",
  };
}

import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { reachOf } from "../../runtime/platform/reach";
import type { StateResource } from "../../resources/ownState";
import { PROVISIONER_REGISTRATION } from "../../resources/tokens";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import { ask, CLICKHOUSE, type InUse, type RemovedProvisioner, type RemovalConfig, textOf } from "./removed";

/** Queries each provisioner that is about to be removed; most runs have none. */
export async function registeredInUse(config: RemovalConfig, previous: readonly StateResource[]): Promise<InUse[]> {
  const removed = previous
    .filter(({ type }) => type === PROVISIONER_REGISTRATION)
    .map(({ outputs }): RemovedProvisioner => ({ key: registeredKey(outputs), outputs }))
    .filter((one) => !stays(config, one));
  const found = await Promise.all(
    removed.map(async ({ key, outputs }): Promise<InUse[]> => {
      const next = nextPlace(config, outputs);
      const alone = outputs["alone"] === true || !isShared(config, outputs);
      const question = { ...outputs, alone, ...(next && { next }) };
      const { inUse, trouble } = await ask<{ inUse?: string; trouble?: string }>("readDeployments", question);
      if (trouble !== undefined) {
        await pulumi.log.warn(`Which deployments are with provisioner ${key} is not known: ${trouble}`);
      }
      return inUse === undefined ? [] : [[key, inUse]];
    }),
  );
  return found.flat();
}

function registeredKey(outputs: StateResource["outputs"]): string {
  const name = textOf(outputs, "provisioner");
  return outputs["gives"] === "clickhouse" ? `${CLICKHOUSE}${name}` : name;
}

/**
 * Whether the set still has a provisioner of the same name and type. For Gardener, the project must be the same too,
 * because its clusters can't move.
 */
function stays(config: RemovalConfig, { key, outputs }: RemovedProvisioner): boolean {
  const { kubernetes, clickhouse } = config;
  const name = textOf(outputs, "provisioner");
  if (outputs["gives"] === "cluster") {
    const next = nextPlace(config, outputs);
    return next !== undefined && WAY.every((field) => textOf(outputs, field) === (next[field] ?? ""));
  }
  if (!key.startsWith(CLICKHOUSE)) return Object.hasOwn(kubernetes, name);
  const type = Object.hasOwn(clickhouse, name) ? clickhouse[name]?.type : undefined;
  return type === (outputs["url"] === undefined ? "kubernetes" : "static");
}

const WAY = ["kubeconfig", "context", "namespace"] as const;

type NextPlace = Readonly<Partial<Record<(typeof WAY)[number], string>>>;

/** The new location of a Gardener provisioner; undefined if it is removed, and for other types. */
function nextPlace({ gardener = {} }: RemovalConfig, outputs: StateResource["outputs"]): NextPlace | undefined {
  const name = textOf(outputs, "provisioner");
  const config = outputs["gives"] === "cluster" && Object.hasOwn(gardener, name) ? gardener[name] : undefined;
  if (config === undefined) return undefined;
  const { kubeconfig, context }: ClusterAccess = config.access;
  const { namespace } = config.settings;
  const { platform, provisioner, gives } = outputs as Readonly<Record<string, string>>;
  const known = { platform, provisioner, gives, alone: false };
  return { ...known, namespace, ...(kubeconfig && { kubeconfig }), ...(context && { context }) };
}

/** Whether a remaining provisioner has the same location. Two provisioners with one location may be removed at once. */
function isShared(
  { kubernetes, gardener = {}, clickhouse }: RemovalConfig,
  outputs: StateResource["outputs"],
): boolean {
  if (outputs["gives"] === "cluster") {
    return Object.values(gardener).some(({ settings }) => settings.namespace === outputs["namespace"]);
  }
  if (outputs["gives"] === undefined) {
    return Object.values(kubernetes).some(({ settings }) => settings.namespace === outputs["namespace"]);
  }
  const server = textOf(outputs, "url");
  return Object.values(clickhouse).some((config) =>
    config.type === "static"
      ? server !== "" && isDeepStrictEqual(reachOf(config.url), reachOf(server))
      : config.settings.namespace === outputs["namespace"],
  );
}

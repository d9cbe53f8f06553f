import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { reachOf } from "../clickhouse/reach";
import type { StateResource } from "../resources/ownState";
import { PROVISIONER_REGISTRATION } from "../resources/tokens";
import type { ClusterAccess } from "./config/kubeconfig";
import { ask, CLICKHOUSE, type InUse, type RemovedProvisioner, type RemovalConfig, textOf } from "./removed";

/** A question for each provisioner that goes, and none in most runs. */
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

/** As one of the same type; one of Gardener with the same way to the same project too, for its clusters can't move. */
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

/** Where a provisioner of Gardener is to be; undefined for one that goes, and for others. */
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

/** Whether one that stays is at its place: two provisioners of one place may go at once. */
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

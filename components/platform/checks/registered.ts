import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { reachOf } from "../../runtime/databaseAccess";
import type { StateResource } from "../../resources/ownState";
import { PROVISIONER_REGISTRATION } from "../../resources/tokens";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { ProvisionerConfig } from "../../runtime/types/provisionerType";
import { typeOf } from "../../runtime/types/registry";
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
 * Whether the set still has a provisioner of the same name and type, and in the same place if its deployments can't
 * move, such as clusters of a Gardener project.
 */
function stays(config: RemovalConfig, { key, outputs }: RemovedProvisioner): boolean {
  const { clickhouse } = config;
  const name = textOf(outputs, "provisioner");
  if (key.startsWith(CLICKHOUSE)) {
    const type = Object.hasOwn(clickhouse, name) ? clickhouse[name]?.type : undefined;
    return type === (outputs["url"] === undefined ? "kubernetes" : "static");
  }
  if (!Object.hasOwn(config.provisioners, name) || !givesSame(config.provisioners[name], outputs)) return false;
  const next = nextPlace(config, outputs);
  return next === undefined || WAY.every((field) => textOf(outputs, field) === (next[field] ?? ""));
}

/** Whether a provisioner gives deployments the same as one that was registered with these outputs. */
function givesSame(provisioner: ProvisionerConfig | undefined, outputs: StateResource["outputs"]): boolean {
  return (
    provisioner?.hosts === undefined && provisioner !== undefined && typeOf(provisioner).gives === outputs["gives"]
  );
}

const WAY = ["kubeconfig", "context", "namespace"] as const;

type NextPlace = Readonly<Partial<Record<(typeof WAY)[number], string>>>;

/** The new location of a provisioner whose deployments can't move; undefined if it is removed, and for others. */
function nextPlace({ provisioners }: RemovalConfig, outputs: StateResource["outputs"]): NextPlace | undefined {
  const name = textOf(outputs, "provisioner");
  const config = Object.hasOwn(provisioners, name) ? provisioners[name] : undefined;
  if (config === undefined || !givesSame(config, outputs) || !typeOf(config).isFixed) return undefined;
  const { kubeconfig, context }: Partial<ClusterAccess> = config.access ?? {};
  const { namespace } = config.settings;
  const { platform, provisioner, gives } = outputs as Readonly<Record<string, string>>;
  const known = { platform, provisioner, gives, alone: false };
  return { ...known, namespace, ...(kubeconfig && { kubeconfig }), ...(context && { context }) };
}

/** Whether a remaining provisioner has the same location. Two provisioners with one location may be removed at once. */
function isShared({ provisioners, clickhouse }: RemovalConfig, outputs: StateResource["outputs"]): boolean {
  const { gives, namespace } = outputs;
  if (gives !== "clickhouse") {
    return Object.values(provisioners).some((one) => givesSame(one, outputs) && one.settings.namespace === namespace);
  }
  const server = textOf(outputs, "url");
  return Object.values(clickhouse).some((config) =>
    config.type === "static"
      ? server !== "" && isDeepStrictEqual(reachOf(config.url), reachOf(server))
      : config.settings.namespace === namespace,
  );
}

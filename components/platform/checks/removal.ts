import * as pulumi from "@pulumi/pulumi";
import { isDeepStrictEqual } from "node:util";
import type { ClusterAccess } from "../../cluster/access/kubeconfig";
import type { StateResource, StateResources } from "../../resources/ownState";
import { STATIC_POOL, PROVISIONER_REGISTRATION } from "../../resources/tokens";
import { reachOf } from "../../runtime/databaseAccess";
import type { ProvisionerConfig } from "../../runtime/types/provisionerType";
import { typeOf } from "../../runtime/types/registry";
import { ask, CLICKHOUSE, type InUse, type RemovedProvisioner, type RemovalConfig, textOf } from "./removed";
import { poolName } from "../../provisioners/plan";

/** Queries each provisioner that is about to be removed; most runs have none. */
async function registeredInUse(config: RemovalConfig, previous: readonly StateResource[]): Promise<InUse[]> {
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

interface PoolsAnswer {
  readonly warnings?: readonly string[];
  readonly inUse?: Readonly<Record<string, string>>;
  readonly trouble?: string;
}

/**
 * Warns of pools that are almost full, and rejects the removal of provisioners in use. Their resources also reject
 * their deletion, but a preview does not call them, and an update deletes them last.
 */
export async function checkRemoval(
  config: RemovalConfig,
  state: Promise<StateResources>,
  stack: string = pulumi.getStack(),
): Promise<void> {
  // The first query starts our provider while the engine reads the state.
  const [, before] = await Promise.all([warnOfFullPools(config, stack), state]);
  const previous = Object.values(before);
  const inUse = [...(await removedPools(config, stack, previous)), ...(await registeredInUse(config, previous))];
  const refused = inUse.filter(([key]) => !config.allowRemoval.includes(key));
  if (refused.length === 0) return;
  const next = config.allowRemoval.length;
  throw new pulumi.RunError(
    [
      "A provisioner that deployments are with cannot be removed or become one of another type or Gardener project; nothing was changed.",
      ...refused.map(([key, deployments]) => `  - ${pathOf(key)} had ${deployments}`),
      "Put it back, or destroy these deployments first; runtimes can also move (stackyard runtime up ID --provisioner OTHER --move).",
      "To remove it all the same, allow it by name:",
      ...refused.map(([key], index) => `  pulumi config set --path 'stackyard:allowRemoval[${next + index}]' ${key}`),
    ].join("\n"),
  );
}

const pathOf = (key: string): string => `stackyard:${key.startsWith(CLICKHOUSE) ? "" : "provisioners."}${key}`;

const poolsIn = (provisioners: RemovalConfig["provisioners"]) =>
  Object.entries(provisioners).flatMap(([name, { hosts }]) => (hosts === undefined ? [] : [[name, hosts] as const]));

/** A single query for all pools of the set; none without a ledger. */
async function warnOfFullPools({ provisioners, ledgerUrl }: RemovalConfig, stack: string): Promise<void> {
  const pools = poolsIn(provisioners);
  if (ledgerUrl === undefined || pools.length === 0) return;
  const asked = Object.fromEntries(
    pools.map(([name, hosts]) => [
      poolName(stack, name),
      hosts.map(({ host, slots, drain }) => ({ host, slots, drain })),
    ]),
  );
  const result = await ask<PoolsAnswer>("readPools", { ledgerUrl, pools: asked });
  for (const warning of result.warnings ?? []) await pulumi.log.warn(warning);
  if (result.trouble !== undefined) await pulumi.log.warn(`How full the pools are is not known: ${result.trouble}`);
}

/** A single query for all pools that are about to be removed; most runs have none. */
async function removedPools(
  config: RemovalConfig,
  stack: string,
  previous: readonly StateResource[],
): Promise<InUse[]> {
  const stay = new Set(poolsIn(config.provisioners).map(([name]) => poolName(stack, name)));
  const removed = previous
    .filter(({ type, outputs }) => type === STATIC_POOL && !stay.has(textOf(outputs, "pool")))
    .map(({ outputs }): RemovedProvisioner => ({ key: textOf(outputs, "pool").split("/").at(-1) ?? "", outputs }));
  const [first] = removed;
  if (!first) return [];
  const ledgerUrl = config.ledgerUrl ?? textOf(first.outputs, "ledgerUrl");
  const pools = Object.fromEntries(removed.map(({ outputs }) => [textOf(outputs, "pool"), []]));
  const result = await ask<PoolsAnswer>("readPools", { ledgerUrl, pools });
  if (result.trouble !== undefined) {
    await pulumi.log.warn(`Which deployments are with pools that go is not known: ${result.trouble}`);
  }
  return removed.flatMap(({ key, outputs }) => {
    const deployments = result.inUse?.[textOf(outputs, "pool")];
    return deployments === undefined ? [] : [[key, deployments] as const];
  });
}

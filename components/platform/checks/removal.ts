import * as pulumi from "@pulumi/pulumi";
import type { StateResource, StateResources } from "../../resources/ownState";
import { STATIC_POOL } from "../../resources/tokens";
import { ask, CLICKHOUSE, type InUse, type RemovedProvisioner, type RemovalConfig, textOf } from "./removed";
import { poolName } from "../../provisioners/plan";
import { registeredInUse } from "./registered";

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

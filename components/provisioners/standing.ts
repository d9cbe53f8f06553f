import * as pulumi from "@pulumi/pulumi";
import type { PlatformConfig } from "../config/platformConfig";
import type { StateResource, StateResources } from "../resources/ownState";
import { PROVISIONER_REGISTRATION } from "../resources/provisionerRegistration";
import { STATIC_POOL } from "../resources/staticPool";
import { poolName } from "./plan";

type Standing = Pick<PlatformConfig, "pools" | "kubernetes" | "ledgerUrl" | "allowRemoval">;

/** A provisioner that was in the set before this run and is not in it any more. */
interface Leaving {
  readonly provisioner: string;
  readonly outputs: StateResource["outputs"];
}

interface PoolsAnswer {
  readonly warnings?: readonly string[];
  readonly inUse?: Readonly<Record<string, string>>;
  readonly trouble?: string;
}

/**
 * Warns of pools that are about to be full, and refuses to remove provisioners that deployments are with. Their own
 * resources refuse that too, but a preview does not ask a resource that goes, and an update asks it last.
 */
export async function checkStanding(
  config: Standing,
  state: Promise<StateResources>,
  stack: string = pulumi.getStack(),
): Promise<void> {
  // Our provider starts with the first question, while the engine reads the state.
  const [, before] = await Promise.all([warnOfFullPools(config, stack), state]);
  const previous = Object.values(before);
  const inUse = [...(await leavingPools(config, stack, previous)), ...(await checkClusters(config, previous))];
  const refused = inUse.filter(([provisioner]) => !config.allowRemoval.includes(provisioner));
  if (refused.length === 0) return;
  const next = config.allowRemoval.length;
  throw new pulumi.RunError(
    [
      "A provisioner that deployments are with cannot be removed or become one of another type; nothing was changed.",
      ...refused.map(([provisioner, deployments]) => `  - stackyard:provisioners.${provisioner} had ${deployments}`),
      "Put it back, or destroy or move these deployments first (stackyard runtime up ID --provisioner OTHER --move).",
      "To remove it all the same, allow it by name:",
      ...refused.map(([name], index) => `  pulumi config set --path 'stackyard:allowRemoval[${next + index}]' ${name}`),
    ].join("\n"),
  );
}

type InUse = readonly [provisioner: string, deployments: string];

/** One question for all pools of the set; none without a ledger. */
async function warnOfFullPools({ pools, ledgerUrl }: Standing, stack: string): Promise<void> {
  if (ledgerUrl === undefined || Object.keys(pools).length === 0) return;
  const asked = Object.fromEntries(
    Object.entries(pools).map(([name, hosts]) => [
      poolName(stack, name),
      hosts.map(({ host, slots, drain }) => ({ host, slots, drain })),
    ]),
  );
  const answer = await ask<PoolsAnswer>("readPools", { ledgerUrl, pools: asked });
  for (const warning of answer.warnings ?? []) await pulumi.log.warn(warning);
  if (answer.trouble !== undefined) await pulumi.log.warn(`How full the pools are is not known: ${answer.trouble}`);
}

/** One question for all pools that go, and none in most runs. */
async function leavingPools(config: Standing, stack: string, previous: readonly StateResource[]): Promise<InUse[]> {
  const stay = new Set(Object.keys(config.pools).map((name) => poolName(stack, name)));
  const leaving = previous
    .filter(({ type, outputs }) => type === STATIC_POOL && !stay.has(textOf(outputs, "pool")))
    .map(({ outputs }): Leaving => ({ provisioner: textOf(outputs, "pool").split("/").at(-1) ?? "", outputs }));
  const [first] = leaving;
  if (!first) return [];
  const ledgerUrl = config.ledgerUrl ?? textOf(first.outputs, "ledgerUrl");
  const pools = Object.fromEntries(leaving.map(({ outputs }) => [textOf(outputs, "pool"), []]));
  const answer = await ask<PoolsAnswer>("readPools", { ledgerUrl, pools });
  if (answer.trouble !== undefined) {
    await pulumi.log.warn(`Which deployments are with pools that go is not known: ${answer.trouble}`);
  }
  return leaving.flatMap(({ provisioner, outputs }) => {
    const deployments = answer.inUse?.[textOf(outputs, "pool")];
    return deployments === undefined ? [] : [[provisioner, deployments] as const];
  });
}

/** A question for each provisioner that goes, and none in most runs. */
async function checkClusters(config: Standing, previous: readonly StateResource[]): Promise<InUse[]> {
  const leaving = previous
    .filter(({ type }) => type === PROVISIONER_REGISTRATION)
    .map(({ outputs }): Leaving => ({ provisioner: textOf(outputs, "provisioner"), outputs }))
    .filter(({ provisioner }) => !Object.hasOwn(config.kubernetes, provisioner));
  const found = await Promise.all(
    leaving.map(async ({ provisioner, outputs }): Promise<InUse[]> => {
      // Two provisioners of one place may go at once.
      const stays = Object.values(config.kubernetes).some(
        ({ settings }) => settings.namespace === outputs["namespace"],
      );
      const question = { ...outputs, alone: outputs["alone"] === true || !stays };
      const { inUse, trouble } = await ask<{ inUse?: string; trouble?: string }>("readDeployments", question);
      if (trouble !== undefined) {
        await pulumi.log.warn(`Which deployments are with provisioner ${provisioner} is not known: ${trouble}`);
      }
      return inUse === undefined ? [] : [[provisioner, inUse]];
    }),
  );
  return found.flat();
}

const ask = async <Answer>(name: string, question: pulumi.Inputs): Promise<Answer> =>
  (await pulumi.runtime.invoke(`stackyard:index:${name}`, question)) as Answer;

function textOf(outputs: StateResource["outputs"], key: string): string {
  const value = outputs[key];
  return typeof value === "string" ? value : "";
}

import { CLICKHOUSE_DATABASE } from "../../components/resources/tokens";
import { isClickHouseSet, setNameOf } from "../../foundation/pulumi/setName";
import type { Platform } from "../../components/runtime/platform/platform";
import type { Client } from "../../kubernetes/client/client";
import { closeLedgers } from "../../provider/ledger/database";
import { readUsage, type PoolUsage } from "../../provider/ledger/usage";
import { connect } from "../../kubernetes/connect/connect";
import { ping } from "../../kubernetes/ready/ping";
import { forAll } from "../../kubernetes/client/pool";
import { messageOf } from "../../foundation/errors";
import type { Workspace, Workspaces } from "../../foundation/pulumi/backend";
import { isSet } from "../../engine/stack/cluster";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/pulumi/state/store";
import { findOrphans } from "../../engine/orphans/find";
import { partsOf } from "../../engine/orphans/kinds";
import { readPlatform } from "../../engine/stack/platformOutputs";
import { readCondition, readConditions, type SetCondition } from "../../engine/runtime/contents";
import type { ResourceState, StackState } from "../../engine/pulumi/state/checkpoint";
import { readDatabase } from "../../provider/resources/clickHouseDatabase/database";
import type { DatabaseInputs } from "../../provider/resources/clickHouseDatabase/inputs";
import { ownerIn } from "../../provider/resources/clickHouseDatabase/note";
import { shootProblems, isClusterHibernated } from "./gardener/shootProblems";
import { clusterProblems, ledgerProblems, stateProblems, type Problem } from "./text/problems";
import type { Runtime } from "./read";

/**
 * Checks that the ClickHouse server has the database and user in a runtime's state. Uses the current credentials of its
 * provisioner.
 */
export async function databaseProblems(
  { name, resources }: StackState,
  platform: Platform | undefined,
  signal: AbortSignal,
): Promise<Problem[]> {
  const made = resources.find(({ type, delete: left }) => type === CLICKHOUSE_DATABASE && left !== true);
  if (made === undefined) return [];
  const inputs = { ...made.inputs } as unknown as DatabaseInputs;
  const { provisioner = "", database, user, access } = inputs;
  const set = platform?.clickhouse ?? {};
  const spec = Object.hasOwn(set, provisioner) ? set[provisioner] : undefined;
  if (spec?.type !== "static") {
    return [{ kind: "unknown", text: `clickhouse provisioner "${provisioner}" is not in the platform's set any more` }];
  }
  try {
    const found = await readDatabase({ signal }, { ...inputs, url: spec.url }, 1);
    const texts: string[] = [];
    if (!found.database) texts.push(`the state has database ${database}; the server has none`);
    else if (ownerIn(found)?.owner !== inputs.instance)
      texts.push(`the database ${database} does not say that it is of this stack`);
    if (access && !found.user) {
      texts.push(`the user ${user} is missing; it comes back with: stackyard runtime up ${name} --refresh`);
    }
    return texts.map((text) => ({ kind: "clickhouse", text }));
  } catch (error) {
    return [{ kind: "unknown", text: `the ClickHouse server did not answer: ${messageOf(error)}` }];
  }
}

/** Result of the check of one runtime, as `-o json` prints it. */
export interface Checked {
  readonly id: string;
  readonly ok: boolean;
  readonly problems: readonly Problem[];
}

interface CheckOptions extends Workspaces {
  readonly timeoutSeconds: number;
  /** Platform of runtimes that an older version created without recording it. */
  readonly defaultPlatform: string;
  /** Whether these are all runtimes, so that other resources are orphans. */
  readonly all: boolean;
}

/** A platform with its secrets, which give access to the clusters and the ledger. */
interface Opened {
  readonly platform?: Platform;
  readonly pools: readonly PoolUsage[];
  readonly trouble?: string;
}

/** How long to retry a request to an unreachable cluster. */
const PATIENCE_MS = 3_000;

/** Compares the state of each runtime with its cluster and the ledger. Changes nothing and takes no lock. */
export async function checkRuntimes(runtimes: readonly Runtime[], options: CheckOptions): Promise<Checked[]> {
  const signal = AbortSignal.timeout(options.timeoutSeconds * 1000);
  const named = runtimes.map(({ summary }) => summary.platform ?? options.defaultPlatform);
  const references = [...new Set(options.all ? [...named, options.defaultPlatform] : named)];
  try {
    const opened = new Map(
      await forAll(references, async (name) => [name, await open(name, options.platforms, signal)] as const),
    );
    const checked = await forAll(runtimes, (runtime) => checkOne(runtime, opened, options, signal));
    if (!options.all) return checked;
    const damaged = await damageProblems(options);
    const isDamaged = ({ id }: Checked): boolean => damaged.some((one) => one.id === id);
    return byId([...checked, ...damaged, ...(await orphanProblems(options)).filter((one) => !isDamaged(one))]);
  } finally {
    await closeLedgers();
  }
}

/** One result for each runtime, with all of its problems. */
function byId(found: readonly Checked[]): Checked[] {
  const results = new Map<string, Checked>();
  for (const { id, ok, problems } of found) {
    const before = results.get(id);
    results.set(id, { id, ok: ok && before?.ok !== false, problems: [...(before?.problems ?? []), ...problems] });
  }
  return [...results.values()];
}

/** States and locks of runtimes and platforms that can't be read: a runtime with such a state is in no list. */
async function damageProblems({ runtimes, platforms }: CheckOptions): Promise<Checked[]> {
  const places = [
    { workspace: runtimes, project: RUNTIME_PROJECT, title: (stack: string) => stack },
    { workspace: platforms, project: PLATFORM_PROJECT, title: (stack: string) => `platform ${stack}` },
  ];
  const found = places.map(async ({ workspace, project, title }) => {
    const damaged = await withStore(workspace, (store) => store.damaged?.(project) ?? Promise.resolve([]));
    return damaged.map(({ stack, text }): Checked => ({
      id: title(stack),
      ok: false,
      problems: [{ kind: "unknown", text }],
    }));
  });
  return (await Promise.all(found)).flat();
}

async function open(name: string, workspace: Workspace, signal: AbortSignal): Promise<Opened> {
  try {
    const platform = await readPlatform(workspace, name);
    const { ledgerUrl } = platform;
    return { platform, pools: ledgerUrl === undefined ? [] : await readUsage(ledgerUrl, undefined, { signal }) };
  } catch (error) {
    return { pools: [], trouble: messageOf(error) };
  }
}

async function checkOne(
  { stack, summary }: Runtime,
  opened: ReadonlyMap<string, Opened>,
  options: CheckOptions,
  signal: AbortSignal,
): Promise<Checked> {
  const name = summary.platform ?? options.defaultPlatform;
  const place = opened.get(name);
  const problems = stateProblems(summary);
  if (place?.trouble !== undefined) {
    problems.push({ kind: "unknown", text: `platform ${name} cannot be read: ${place.trouble}` });
  } else if (place) {
    problems.push(...ledgerProblems(stack, place.pools));
    problems.push(...(await databaseProblems(stack, place.platform, signal)));
    problems.push(...(await shootProblems(stack.resources, summary.provisioner, place.platform, signal)));
  }
  const isAsleep = isClusterHibernated(stack.resources);
  const sets = stack.resources.filter((resource) => isSet(resource) && resource.delete !== true && !isAsleep);
  try {
    problems.push(...(await setProblems(sets, summary, place?.platform, options, signal)));
  } catch (error) {
    const why = signal.aborted ? `no answer within ${options.timeoutSeconds} s` : messageOf(error);
    problems.push({ kind: "unknown", text: `the cluster did not answer: ${why}` });
  }
  return { id: summary.id, ok: problems.length === 0, problems };
}

/**
 * Checks the sets through the current credentials of the provisioner, which needs one call of the CLI for all runtimes
 * of a platform. If the provisioner is unknown, uses the credentials in the runtime's own state.
 */
async function setProblems(
  sets: readonly ResourceState[],
  { id, provisioner, clickhouse }: Runtime["summary"],
  platform: Platform | undefined,
  { runtimes: workspace }: CheckOptions,
  signal: AbortSignal,
): Promise<Problem[]> {
  if (sets.length === 0) return [];
  const runtimes = new Map(Object.entries(platform?.provisioners ?? {}));
  const databases = new Map(Object.entries(platform?.clickhouse ?? {}));
  const ways = sets.map((set) => {
    const spec = isClickHouseSet(setNameOf(set.inputs))
      ? databases.get(clickhouse?.provisioner ?? "")
      : runtimes.get(provisioner ?? "");
    return spec?.type === "kubernetes" ? ([set, spec] as const) : undefined;
  });
  const pings = Promise.all(sets.map((set) => pingProblems(set, signal)));
  const objects = ways.every((way) => way !== undefined)
    ? forAll(ways, ([set, { kubeconfig, context }]) =>
        objectProblems(set, connect(kubeconfig, context, { patienceMs: PATIENCE_MS, signal }), id),
      )
    : readConditions(id, workspace).then((conditions) => conditions.map((one) => conditionProblems(one, id)));
  return (await Promise.all([objects, pings])).flat(2);
}

export const objectProblems = async (set: ResourceState, client: Client, id: string): Promise<Problem[]> =>
  conditionProblems(await readCondition(set, client), id);

function conditionProblems(condition: SetCondition, id: string): Problem[] {
  if ("elsewhere" in condition) return [{ kind: "cluster", text: condition.elsewhere }];
  return "unknown" in condition
    ? [{ kind: "unknown", text: `the cluster did not answer: ${condition.unknown}` }]
    : clusterProblems(condition.objects, id);
}

async function pingProblems({ inputs = {} }: ResourceState, signal: AbortSignal): Promise<Problem[]> {
  const { url } = (inputs["ping"] ?? {}) as { url?: unknown };
  if (typeof url !== "string") return [];
  const trouble = await ping(url, signal);
  return trouble === undefined ? [] : [{ kind: "ping", text: `${url} does not answer: ${trouble}` }];
}

/** Lists orphans by deployment, and locations that could not be read, with the reason. */
async function orphanProblems(options: CheckOptions): Promise<Checked[]> {
  const { orphans, unseen } = await findOrphans(options);
  const found = [...Map.groupBy(orphans, ({ id }) => id)].map(([id, own]): Checked => {
    const problems = own.map((orphan): Problem => {
      const text = [`no runtime has what is with provisioner ${orphan.provisioner}:`, ...partsOf(orphan)].join("\n");
      return { kind: "orphan", text };
    });
    return { id, ok: false, problems };
  });
  const unknown = unseen.map((text): Problem => ({ kind: "unknown", text: `orphans were not searched: ${text}` }));
  return unknown.length === 0 ? found : [...found, { id: "orphans", ok: false, problems: unknown }];
}

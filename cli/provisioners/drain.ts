import type { Platform } from "../../components/runtime/platform/platform";
import type { StackState } from "../../engine/pulumi/state/checkpoint";
import { isObject } from "../../foundation/json/isObject";
import { nearest } from "../../foundation/text/nearest";
import { closeLedgers } from "../../provider/ledger/database";
import { readUsage, type PoolUsage } from "../../provider/ledger/usage";
import type { Context } from "../context";
import { poolOf } from "../../components/runtime/types/registry";
import { EXIT, Failure } from "../../foundation/errors";
import { readPlatform } from "../../engine/stack/platformOutputs";
import { readRuntimes } from "../../engine/runtime/list";
import { runJobs } from "../../engine/workers/pool";
import type { Result } from "../../engine/runtime/result";
import { failureText, headline } from "../runtime/text/result";
import { StackFile } from "../../engine/stack/file";
import { platformReference } from "../../engine/stack/names";
import { deployChange } from "../stack/deployChange";
import { confirm } from "../terminal/ask";
import { count } from "../../foundation/text/numbers";
import { table } from "../terminal/table";
import type { DrainOptions, UndrainOptions } from "./options";

/** A deployment on a host. */
interface Tenant {
  readonly deployment: string;
  readonly slots: number;
  readonly provisioner: string;
  /** Its runtime stack; undefined if this state backend has none. */
  readonly stack: string | undefined;
}

/** Returns the deployments that the ledger has on the host, in the pools of these provisioners. */
export function tenantsOf(
  host: string,
  platform: Platform,
  usage: readonly PoolUsage[],
  stacks: readonly StackState[],
): Tenant[] {
  return Object.entries(platform.provisioners).flatMap(([provisioner, one]) => {
    const pool = poolOf(one);
    if (pool === undefined) return [];
    const hosts = usage.find((found) => found.pool === pool)?.hosts ?? [];
    const here = hosts.find((found) => found.host === host)?.deployments ?? [];
    return here.map(({ deployment, slots }) => ({
      deployment,
      slots,
      provisioner,
      stack: stacks.find((state) => has(state, pool, deployment))?.name,
    }));
  });
}

const has = ({ resources }: StackState, pool: string, deployment: string): boolean =>
  resources.some(
    ({ type, inputs }) =>
      type === "stackyard:index:SlotAllocation" && inputs?.pool === pool && inputs.deployment === deployment,
  );

const KEY = "stackyard:provisioners";

/** Position of a host in the provisioner set; a host may be in several pools. */
interface HostPosition {
  readonly provisioner: string;
  /** Index in the list `spec.runtimes`. */
  readonly index: number;
}

/** The lists of hosts of all provisioners with a pool in the file. */
function hostLists(file: StackFile): (readonly [provisioner: string, hosts: readonly unknown[]])[] {
  const set = file.config(KEY);
  return Object.entries(isObject(set) ? set : {}).flatMap(([name, one]) => {
    const spec = isObject(one) ? one.spec : undefined;
    const hosts = isObject(spec) ? spec.runtimes : undefined;
    return Array.isArray(hosts) ? [[name, hosts] as const] : [];
  });
}

const urlOf = (host: unknown): string => (isObject(host) && typeof host.host === "string" ? host.host : "");

/** Returns the positions of a host. Throws, listing the known hosts, if it has none. */
export function placesOf(file: StackFile, host: string): HostPosition[] {
  const lists = hostLists(file);
  const places = lists.flatMap(([provisioner, hosts]) =>
    hosts.flatMap((one, index) => (urlOf(one) === host ? [{ provisioner, index }] : [])),
  );
  if (places.length > 0) return places;
  const known = [...new Set(lists.flatMap(([, hosts]) => hosts.map(urlOf)))];
  const near = nearest(host, known);
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  throw new Failure(
    `host: found ${JSON.stringify(host)}; expected a host of a static provisioner in ${file.file}: ` +
      `${known.join(", ") || "(there are none)"}${meant}`,
  );
}

/** Sets `drain` of the host at these positions; the default false is not written. */
export function setDrain(file: StackFile, places: readonly HostPosition[], drain: boolean): void {
  for (const { provisioner, index } of places) {
    const set = file.config(KEY) as Record<string, { spec: { runtimes: Record<string, unknown>[] } }>;
    const one = set[provisioner];
    if (one === undefined) continue;
    const runtimes = one.spec.runtimes.map((host, at) => {
      if (at !== index || (host.drain === true) === drain) return host;
      return { ...host, drain: drain ? true : undefined };
    });
    file.setConfig(KEY, { ...set, [provisioner]: { ...one, spec: { ...one.spec, runtimes } } });
  }
}

/** Stops new allocations on a host. With `--move`, moves its deployments to other hosts of its pools. */
export async function drain(context: Context, host: string, options: DrainOptions): Promise<void> {
  const { live, colours } = context;
  const isDrained = await setDrained(context, host, true, options);
  const previewsMove = options.move === true && options.dryRun === true;
  if (!isDrained && !previewsMove) return;
  const { tenants, open } = await readTenants(context, host, options.stack);
  if (open && !previewsMove) {
    const up = `pulumi up --stack ${options.stack}`;
    throw new Failure(`${host} is drained in the stack file, but not in the ledger; update the platform first: ${up}`);
  }
  if (tenants.length === 0) return live.line(`${colours.good("✓")} ${host} has no deployments`);
  const named = tenants.map(({ deployment, slots }) => `${deployment} (${count(slots, "slot")})`).join(", ");
  if (options.move !== true) {
    live.line(`${host} still has ${count(tenants.length, "deployment")}: ${named}`);
    return live.line("To move them to other hosts, which does not copy their data, run the same command with --move");
  }
  live.line(`${count(tenants.length, "deployment")} would be moved off ${host}: ${named}`);
  live.line(
    `${colours.warn("warning:")} a move does not copy data; what is in the data directory on ${host} stays there`,
  );
  if (options.dryRun === true) return live.line("nothing was moved (--dry-run)");
  if (options.yes !== true && !(await confirm("Move them?"))) throw new Failure("nothing was moved");
  await moveAll(context, host, tenants, options);
}

/** Allows new deployments on a host again. Deployments that were moved stay where they are. */
export async function undrain(context: Context, host: string, options: UndrainOptions): Promise<void> {
  await setDrained(context, host, false, options);
}

/** Changes the stack file and deploys the platform. Returns whether the host now has the desired state. */
async function setDrained(
  context: Context,
  host: string,
  drained: boolean,
  { stack, yes, dryRun }: UndrainOptions,
): Promise<boolean> {
  const { live, colours } = context;
  const file = await StackFile.read(context.root, stack);
  if (!file.exists) throw new Failure(`${file.file} does not exist; expected the stack file of a platform (--stack)`);
  const places = placesOf(file, host);
  const before = file.text();
  setDrain(file, places, drained);
  const pools = places.map(({ provisioner }) => provisioner).join(", ");
  if (file.text() === before) {
    live.line(`${host} is ${drained ? "drained" : "not drained"} already in ${pools}`);
    return true;
  }
  const question = drained ? `Drain ${host} in ${pools}?` : `Let ${host} take deployments again in ${pools}?`;
  if (!(await deployChange(context, stack, file, question, { yes, preview: dryRun }))) return false;
  live.line(`${colours.good("✓")} ${host} ${drained ? "is drained: it takes nothing new" : "takes deployments again"}`);
  return true;
}

/** Reads the deployments on the host, and whether it accepts new ones. */
async function readTenants(
  { platforms, runtimes, live }: Context,
  host: string,
  stack: string,
): Promise<{ readonly tenants: readonly Tenant[]; readonly open: boolean }> {
  const [platform, stacks] = await Promise.all([
    readPlatform(platforms, platformReference(stack)),
    readRuntimes(runtimes),
  ]);
  if (platform.ledgerUrl === undefined) return { tenants: [], open: false };
  try {
    const usage = await readUsage(platform.ledgerUrl, undefined, { onWait: (text) => live.line(text) });
    const tenants = tenantsOf(host, platform, usage, stacks);
    const pools = new Set(Object.values(platform.provisioners).map(poolOf));
    const own = usage.filter(({ pool }) => pools.has(pool)).flatMap(({ hosts }) => hosts);
    return { tenants, open: own.some((one) => one.host === host && !one.drain) };
  } finally {
    await closeLedgers();
  }
}

/**
 * Moves each deployment by its own runtime stack. Completed moves stay, so repeating the command continues after a
 * failure.
 */
async function moveAll(
  context: Context,
  host: string,
  tenants: readonly Tenant[],
  options: DrainOptions,
): Promise<void> {
  const { live, colours } = context;
  const results: Result[] = [];
  const jobs = tenants.flatMap(({ stack, provisioner }) =>
    stack === undefined ? [] : [{ request: { id: stack, change: { deployment: {}, move: provisioner } } }],
  );
  const common = {
    command: "provisioners drain",
    existing: "must-exist" as const,
    defaultPlatform: platformReference(options.stack),
    waitSeconds: options.wait,
  };
  const { notBegun } = await runJobs([jobs.map((job) => ({ ...job, ...common }))], {
    parallel: options.parallel ?? 1,
    onBegin: (ids) => live.status(`  ${colours.dim(`moving ${ids.join(", ")}`)}`),
    onResult: (found) => {
      const result = stayed(found, host);
      results.push(result);
      const number = colours.dim(`[${results.length}/${jobs.length}]`);
      const to = String(result.outputs.host);
      live.line(`${number} ${result.ok ? `${headline(result, "is moved", colours)}  ${to}` : `${result.id} failed`}`);
    },
  });
  const failures = results.filter(({ ok }) => !ok);
  const strangers = tenants.filter(({ stack }) => stack === undefined);
  const moved = results.length - failures.length;
  for (const failure of failures) live.line(failureText(failure, "moved", colours));
  if (strangers.length + notBegun.length + failures.length > 0) {
    const rows = [
      ...failures.map(({ id, errors }) => [id, (errors[0] ?? "").split("\n")[0] ?? ""]),
      ...notBegun.map(({ request }) => [request.id, "not begun"]),
      ...strangers.map(({ deployment }) => [deployment, "no runtime stack in this state backend"]),
    ];
    context.print(table(["STILL ON THE HOST", "REASON"], rows));
    live.line(`${moved} of ${tenants.length} moved; run the same command again to go on`);
    process.exitCode = EXIT.failure;
    return;
  }
  live.line(`${colours.good("✓")} ${count(moved, "deployment")} moved; ${host} has none any more`);
}

/** An update also succeeds if no other host has room. */
function stayed(result: Result, host: string): Result {
  if (!result.ok || result.outputs.host !== host) return result;
  return { ...result, ok: false, errors: [`no other host of its pool has room; it stays on ${host}`] };
}

import { Client } from "pg";
import { signalAll } from "../../../engine/process/processTree";
import type { Place } from "../runtime/world";
import type { Project } from "./project";

/**
 * Keeps the ledger's tables locked, so that an update which takes or gives slots waits in the middle until released.
 * `SHARE` lets it read: what it wrote last is then carried out when nobody waits for it any more.
 */
export async function holdLedger(
  { ledgerUrl }: Place,
  mode: "ACCESS EXCLUSIVE" | "SHARE" = "ACCESS EXCLUSIVE",
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: ledgerUrl });
  // Who kills the server ends it too.
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  await client.query(`LOCK TABLE stackyard.allocations, stackyard.hosts, stackyard.pools IN ${mode} MODE`);
  return () => client.end();
}

/** Whether somebody waits for what {@link holdLedger} holds. */
export async function waitsForLedger({ ledgerUrl }: Place): Promise<boolean> {
  const client = new Client({ connectionString: ledgerUrl });
  await client.connect();
  const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%stackyard.%'";
  const { rowCount } = await client.query(text);
  await client.end();
  return rowCount !== 0;
}

/**
 * Pids of the processes that run in a project's folders and whose command line has all the words, found in /proc. Other
 * tests run beside this one, with stacks of the same names.
 */
export async function pidsOf({ folder }: Project, ...words: string[]): Promise<number[]> {
  const { readdir, readFile, readlink } = await import("node:fs/promises");
  const found: number[] = [];
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const line = await readFile(`/proc/${entry}/cmdline`, "utf8").catch(() => "");
    if (!words.every((word) => line.split("\0").includes(word))) continue;
    const place = await readlink(`/proc/${entry}/cwd`).catch(() => "");
    if (`${place}/`.startsWith(`${folder}/`)) found.push(Number(entry));
  }
  return found;
}

/** Waits until something is true; fails after these seconds. */
export async function until(what: string, check: () => Promise<boolean>, seconds = 30): Promise<void> {
  for (
    const end = Date.now() + seconds * 1000;
    !(await check());
    await new Promise((resolve) => setTimeout(resolve, 50))
  ) {
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain until ${what}`);
  }
}

/**
 * Runs a command of ours on a stack and kills it, its engine and with that its providers, as `kill -9` does, as soon as
 * something is true.
 */
export async function killWhen(
  project: Project,
  [group, verb, stack, ...flags]: readonly [string, string, string, ...string[]],
  what: string,
  check: () => Promise<boolean>,
): Promise<void> {
  const { pid, ended } = project.start(group, verb, stack, ...flags);
  await until(what, check);
  signalAll([pid, ...(await pidsOf(project, "pulumi", stack))], "SIGKILL");
  await ended;
}

import type { Context } from "../context";
import { listLocks, withLocks } from "../../engine/locks/locks";
import type { StackLock } from "../../engine/locks/stackLock";
import { structured, type OutputOptions } from "../options/output";
import { table } from "../terminal/table";

const COLUMNS = ["STACK", "USER", "PULL REQUEST", "SINCE", "REASON"];

export async function listStackLocks(context: Context, options: OutputOptions): Promise<void> {
  const locks = (await withLocks(context.platforms, listLocks)).map(({ lock }) => lock);
  const text = structured(locks, options);
  if (text !== undefined) return context.print(text);
  if (locks.length === 0) return context.live.line("no stack is locked");
  context.print(table(COLUMNS, locks.map(row)));
}

const row = ({ project, stack, user, pullRequest, since, reason }: StackLock): string[] => [
  `${project}/${stack}`,
  user,
  pullRequest === undefined ? "-" : String(pullRequest),
  since,
  reason ?? "-",
];

import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { signalAll } from "../../../engine/process/processTree";
import { serverPids, startServers } from "../cli/killed/servers";
import type { Victim } from "./plan";

/** Every process that an action starts has this in its environment, with the action's name. */
export const MARK = "STACKYARD_SOAK_ACTION";

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // Ended while we looked.
  }
};

/** Processes of an action, or of all actions of a run, by the name of their program. */
export function processesOf(mark: string): { readonly pid: number; readonly program: string }[] {
  return (
    readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .filter((pid) =>
        read(pid, "environ")
          .split("\0")
          .some((line) => line.startsWith(`${MARK}=${mark}`)),
      )
      // One that was killed, and whose parent has not looked yet, is none.
      .filter((pid) => !/^\d+ \(.*\) Z /.test(read(pid, "stat")))
      .map((pid) => ({ pid: Number(pid), program: path.basename(read(pid, "cmdline").split("\0")[0] ?? "") }))
  );
}

const ENGINES: Partial<Record<Victim, RegExp>> = { engine: /^pulumi(?:-engine)?$/, provider: /^pulumi-resource-/ };
const SERVERS = { postgres: "postgres", apiserver: "kube-apiserver" } as const;

/** Kills something in the middle of an action, as soon as there is such a thing, and starts again what belongs to the yard. */
export async function harm(
  victim: Victim,
  { pid, mark, isOver }: { readonly pid: number; readonly mark: string; readonly isOver: () => boolean },
): Promise<void> {
  if (victim === "command") return signalAll([pid], "SIGKILL");
  if (victim === "postgres" || victim === "apiserver") return harmServer(SERVERS[victim]);
  if (victim === "frozen") return freeze(mark);
  const engine = ENGINES[victim];
  if (engine === undefined) throw new Error(`nobody knows how to kill ${victim}`);
  for (let found: number[] = []; found.length === 0 && !isOver(); await sleep(50)) {
    found = processesOf(mark).flatMap((one) => (engine.test(one.program) ? [one.pid] : []));
    signalAll(found, "SIGKILL");
  }
}

/** Longer than commands wait for a state, a lock or a server before they report it. */
const FROZEN_MS = 12_000;

/** As a laptop that is closed, or a container that is paused. */
async function freeze(mark: string): Promise<void> {
  const pids = processesOf(mark).map(({ pid }) => pid);
  signalAll(pids, "SIGSTOP");
  await sleep(FROZEN_MS);
  signalAll(pids, "SIGCONT");
}

let turn: Promise<unknown> = Promise.resolve();

/** One after the other: what is being started again must not be killed at the same time. */
function harmServer(program: "postgres" | "kube-apiserver"): Promise<void> {
  const work = async (): Promise<void> => {
    signalAll(serverPids(program), "SIGKILL");
    await sleep(500);
    await startServers();
  };
  const mine = turn.then(work);
  turn = mine.catch(() => undefined);
  return mine;
}

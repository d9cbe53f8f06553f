import { setTimeout as sleep } from "node:timers/promises";
import { signalAll } from "../../../engine/process/processTree";
import { harm } from "../../engine/soak/harm";
import { kill, pidsOf, type Role } from "../processes";
import type { Replicas } from "./replicas";

const KILLED = ["service", "worker", "engine", "provider", "postgres"] as const satisfies readonly (
  Role | "postgres"
)[];
const FROZEN = ["service", "worker"] as const satisfies readonly Role[];
/** Each in turn, so that a short soak has all of them. */
const TROUBLES = [
  ...KILLED.map((victim) => ({ victim, isKilled: true }) as const),
  ...FROZEN.map((victim) => ({ victim, isKilled: false }) as const),
];
export const KINDS = TROUBLES.length;

/** The lease of an operation, and a longer time. */
export const LEASE_MS = 12_000;
const FREEZE_MS = 20_000;

export interface Trouble {
  /** What happened so far. */
  readonly done: readonly string[];
  /** Makes no more trouble; resolves when everybody runs again. */
  end(): Promise<void>;
}

/** Kills and stops processes of replicas, one after the other, at random moments. */
export function makeTrouble(replicas: Replicas, run: string, most: number, roll: () => number): Trouble {
  const done: string[] = [];
  const frozen: Promise<void>[] = [];
  let isOver = false;
  const freeze = (name: string, role: Role): number => {
    const pids = pidsOf(replicas.mark(name), role);
    signalAll(pids, "SIGSTOP");
    frozen.push(sleep(FREEZE_MS).then(() => signalAll(pids, "SIGCONT")));
    return pids.length;
  };
  const work = (async () => {
    while (!isOver && done.length < most) {
      await sleep(300 + roll() * 3_000);
      const name = replicas.names[Math.floor(roll() * replicas.names.length)] ?? "x";
      const isIsolated = roll() < 0.5;
      const { victim, isKilled } = TROUBLES[done.length % KINDS] ?? TROUBLES[0]!;
      if (victim === "postgres") await harm("postgres", { pid: 0, mark: run, isOver: () => isOver });
      else if ((isKilled ? kill(replicas.mark(name), victim) : freeze(name, victim)) === 0) continue;
      done.push(`${isKilled ? "kill" : "freeze"} ${victim} ${name}`);
      if (isKilled && victim === "service") await replicas.start(name, isIsolated);
    }
  })();
  return {
    done,
    async end() {
      isOver = true;
      await work;
      await Promise.all(frozen);
    },
  };
}

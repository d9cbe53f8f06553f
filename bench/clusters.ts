import { setTimeout as sleep } from "node:timers/promises";
import { table } from "../cli/terminal/table";
import { testYard } from "../toolchain/yard/sideYards";
import { projectRoot } from "../toolchain/root";
import { beginYard, endYard } from "../test/engine/hooks";
import { RuntimePlace, type Status } from "../test/service/gardener/place";
import { cpuOfTree, memoryOfTree, totalOf, type Memory } from "./support/service/processes";

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** Set BENCH_MANY to a small number for a short run. */
const MANY = number("BENCH_MANY", 200);
const SECONDS = number("BENCH_SECONDS", 60);
/** Operations look most often at first, and every 20 seconds after 80; a cluster takes minutes. */
const SETTLE_SECONDS = number("BENCH_SETTLE", 90);
const PATIENCE_MS = 30 * 60_000;

/** Resources used by the service's processes. */
interface Taken {
  readonly memory: Memory;
  readonly mib: number;
  /** CPU seconds per second. */
  readonly cores: number;
  /** Requests for Shoots to Gardener, per second. */
  readonly requests: number;
}

/**
 * Measures runtimes whose clusters Gardener is creating: what the service uses per waiting runtime, beyond its idle
 * usage, what it requests of Gardener, and whether all of them complete. Gardener is simulated; the service is the real process.
 */
async function main(): Promise<void> {
  await beginYard(testYard(projectRoot()));
  const place = await RuntimePlace.start();
  try {
    await finished(place, [await place.provision("warm")]);
    const before = await taken(place);
    const began = performance.now();
    const runtimes = await Promise.all(
      Array.from({ length: MANY }, (_, index) => place.provision(`b${index}`, 'targetSecret: "cleanup"')),
    );
    await each(place, runtimes, ({ message }) => message.endsWith("Stage WaitingForClusterCreation"));
    const begun = (performance.now() - began) / 1000;
    // The last engines have ended, their memory is collected, and the pauses between looks are the longest.
    await sleep(SETTLE_SECONDS * 1000);
    const waiting = await taken(place);
    for (let index = 0; index < MANY; index++) await place.release(`b${index}`);
    await finished(place, runtimes);
    await sleep(SETTLE_SECONDS * 1000);
    // Memory that runs of the engine left in the workers, which is not caused by waiting.
    const after = await taken(place);
    const rows = [
      ["requests to Gardener, in a second", waiting.requests.toFixed(2), "2"],
      ["memory of each, MiB", ((waiting.mib - before.mib) / MANY).toFixed(2), "3"],
      ["CPU of each, % of a core", (((waiting.cores - before.cores) / MANY) * 100).toFixed(3), "0.05"],
      [
        "memory of the service, MiB",
        `${before.mib.toFixed(0)}, ${waiting.mib.toFixed(0)} with all, ${after.mib.toFixed(0)} after`,
        "",
      ],
      ...(["service", "workers", "engines", "providers"] as const).map((program) => [
        `memory of ${program}, MiB`,
        [before, waiting, after].map(({ memory }) => (memory[program] ?? 0).toFixed(0)).join(", "),
        "",
      ]),
      ["CPU of each, seconds in a minute", (((waiting.cores - before.cores) / MANY) * 60).toFixed(3), "0.03"],
      [`seconds until ${MANY} wait`, begun.toFixed(0), ""],
    ];
    const columns = [{ title: `${MANY} RUNTIMES WAIT` }, { title: "FIGURE" }, { title: "AIM" }];
    process.stdout.write(`\n${table(columns, rows)}\nall ${MANY} came to their end\n`);
  } finally {
    await place.end();
    await endYard();
  }
}

async function taken({ service, gardener: { door } }: RuntimePlace): Promise<Taken> {
  const pid = service.child.pid ?? 0;
  const [cpu, asked] = [cpuOfTree(pid), door.asked];
  await sleep(SECONDS * 1000);
  const requests = (door.asked - asked) / SECONDS;
  const memory = memoryOfTree(pid);
  return { memory, mib: totalOf(memory), cores: (cpuOfTree(pid) - cpu) / SECONDS, requests };
}

/** Requests them one after the other, so that the requests don't distort the measurement. */
async function each(place: RuntimePlace, runtimes: readonly Status[], good: (status: Status) => boolean) {
  for (const { id } of runtimes) await place.until(id, good, PATIENCE_MS);
}

async function finished(place: RuntimePlace, runtimes: readonly Status[]): Promise<void> {
  const hasEnded = ({ state }: Status): boolean => state !== "InProgress";
  for (const { id } of runtimes) {
    const { state, lastError } = await place.until(id, hasEnded, PATIENCE_MS);
    if (state !== "Succeeded") throw new Error(`${id}: ${state} ${lastError.errMessage}`);
  }
}

void main();

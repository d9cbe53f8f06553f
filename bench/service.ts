import { table } from "../cli/terminal/table";
import { Bed } from "./support/bed";
import { renamed, setOf } from "./support/renamed";
import { ServiceBed } from "./support/service/api";
import { copyDeployments } from "./support/service/present";
import { cpuOfTree, MemoryWatch, totalOf, type Memory } from "./support/service/processes";

const RUNS = 5;
const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
/** Set BENCH_MANY to a small number for a short run. */
const MANY = number("BENCH_MANY", 200);
/** With this number of deployments, a new one must cost the same as without any. */
const THERE = number("BENCH_DEPLOYMENTS", 1_000);
/** Number of operations at the start and at the end of a run that are compared. */
const EDGE = 10;

interface Timed {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Measures runtimes through the API of the service's real process, warm, against `kubectl apply --server-side` of the
 * same objects and `kubectl rollout status`: one at a time, {@link MANY} at once, with {@link THERE} others, and
 * operations without changes.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const provisioner = bed.provisioner("kubernetes");
  const service = await ServiceBed.start(bed, number("BENCH_WORKERS", 2));
  const memory = new MemoryWatch(service.pid);
  const made: string[] = [];
  let copies: { readonly remove: () => void } | undefined;
  const provision = (id: string): Promise<string> => {
    made.push(id);
    return service.ask(`provisionDeployment(id: "${id}", deployment: { version: "1", provisioner: "${provisioner}" })`);
  };
  const timed = async (work: () => Promise<void>): Promise<Timed> => {
    const [cpu, began] = [cpuOfTree(service.pid), performance.now()];
    await work();
    const seconds = (performance.now() - began) / 1000;
    return { seconds, cpuSeconds: cpuOfTree(service.pid) - cpu };
  };
  /** Provisions runtimes one after the other. */
  const alone = async (prefix: string, count: number): Promise<Timed[]> => {
    const all: Timed[] = [];
    for (let index = 0; index < count; index++) {
      all.push(await timed(async () => service.end(await provision(`${prefix}-${index}`))));
    }
    return all;
  };
  try {
    // The workers are still starting for the first ones.
    await alone("bench-warm", 4);
    const peer = median(await kubectl(bed, "bench-warm-1"));
    const tenth = await alone("bench-one", EDGE);
    const same: Timed[] = [];
    for (let index = 0; index < RUNS; index++) {
      const update = `updateDeployment(id: "bench-one-${index}", deployment: {})`;
      same.push(await timed(async () => service.end(await service.ask(update))));
    }
    const waits = (await service.ended("bench-one-")).map(({ waitMs }) => waitMs);
    const many = await timed(async () => {
      await Promise.all(Array.from({ length: MANY }, (_, index) => provision(`bench-many-${index}`)));
      await service.idle();
    });
    const runs = (await service.ended("bench-many-")).map(({ runMs }) => runMs);
    copies = await copyDeployments(bed, service.databaseUrl, "bench-warm-1", Math.max(0, THERE - made.length));
    const last = await alone("bench-last", EDGE);
    // A page that shows all of them.
    await service.ended("bench-last-");
    memory.look();
    const ratio = (of: readonly number[], to: readonly number[]): string => `${(median(of) / median(to)).toFixed(2)}×`;
    const [secondsOf, cpuOf] = [
      (list: readonly Timed[]) => list.map(({ seconds }) => seconds),
      (list: readonly Timed[]) => list.map(({ cpuSeconds }) => cpuSeconds),
    ];
    const one = (list: readonly Timed[]): string[] => [
      median(secondsOf(list)).toFixed(2),
      median(cpuOf(list)).toFixed(2),
    ];
    const rows = [
      ["kubectl apply, rollout status", peer.toFixed(2), "", "", ""],
      ["new runtime", ...one(tenth), `${(median(secondsOf(tenth)) / peer).toFixed(1)}× kubectl`, "2.0×"],
      ["nothing to change", ...one(same), "", "0.25 s"],
      [
        `${MANY} new runtimes`,
        many.seconds.toFixed(1),
        (many.cpuSeconds / MANY).toFixed(2),
        `${((MANY / many.seconds) * 60).toFixed(0)} a minute`,
        "180, 0.35 s",
      ],
      [
        `the last ${EDGE} beside the first ${EDGE} of them`,
        (median(runs.slice(-EDGE)) / 1000).toFixed(2),
        "",
        ratio(runs.slice(-EDGE), runs.slice(0, EDGE)),
        "",
      ],
      [`new runtime with ${THERE} there`, ...one(last), ratio(secondsOf(last), secondsOf(tenth)), "1.1×"],
      ["its CPU", "", "", ratio(cpuOf(last), cpuOf(tenth)), "1.1×"],
    ];
    const columns = ["SECONDS", "CPU s EACH", "RATE", "AIM"].map((title) => ({ title, align: "right" as const }));
    process.stdout.write(`\n${table([{ title: "THE SERVICE" }, ...columns], rows)}\n`);
    process.stdout.write(`memory of all processes, at most: ${inWords(memory.highest)}\n`);
    process.stdout.write(`queue latency: median ${median(waits).toFixed(0)} ms of ${waits.length}\n`);
  } finally {
    memory.stop();
    copies?.remove();
    await Promise.all(made.map((id) => service.ask(`deprovisionDeployment(id: "${id}")`)));
    await service.idle();
    await service.remove();
  }
}

/** Returns the seconds that kubectl needs for the same objects under other names. */
async function kubectl(bed: Bed, id: string): Promise<number[]> {
  const pattern = setOf(await bed.state(id));
  const all: number[] = [];
  for (let index = 0; index < RUNS; index++) {
    const copy = renamed(pattern, `bench-kubectl-${index}`);
    const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: copy.objects });
    const apply = await bed.kubectl(text, "apply", "--server-side", "-f", "-");
    const wait = await bed.kubectl("", "rollout", "status", "-n", copy.namespace, copy.workload, "--timeout=60s");
    all.push(apply.seconds + wait.seconds);
    await bed.kubectl(text, "delete", "--ignore-not-found", "-f", "-");
  }
  return all;
}

const inWords = (memory: Memory): string =>
  [
    `${totalOf(memory).toFixed(0)} MiB`,
    ...Object.entries(memory).map(([program, size]) => `${program} ${size.toFixed(0)}`),
  ].join(", ");

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

void main();

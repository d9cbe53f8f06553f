import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { table } from "../cli/terminal/table";
import { Bed } from "./support/bed";
import { cpuOfTree, memoryOfTree, serviceDatabase, type ServiceBed } from "./support/service";
import { renamed, setOf } from "./support/renamed";

const RUNS = 5;
/** BENCH_MANY for a quick look. */
const MANY = Number(process.env["BENCH_MANY"] ?? 200);
/** The first of the many, and the last: what a deployment costs must not grow with their number. */
const EDGE = 10;

interface Timed {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/**
 * Runtimes through the service, warm, beside `kubectl apply --server-side` of the same objects and `kubectl rollout status`:
 * one at a time, {@link MANY} at once, and operations that change nothing.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const provisioner = bed.provisioner("kubernetes");
  const service = await serviceDatabase(bed);
  const host = await start(bed, service);
  const made: string[] = [];
  const provision = (id: string) => {
    made.push(id);
    return service.ask(id, "provision", { deployment: { version: "1", provisioner } });
  };
  try {
    // The first ones find the workers starting.
    for (const id of ["bench-warm-1", "bench-warm-2"]) await service.end(await provision(id));
    const pattern = setOf(await bed.state("bench-warm-1"));
    const kubectl: number[] = [];
    for (let index = 0; index < RUNS; index++) {
      const copy = renamed(pattern, `bench-kubectl-${index}`);
      const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: copy.objects });
      const apply = await bed.kubectl(text, "apply", "--server-side", "-f", "-");
      const wait = await bed.kubectl("", "rollout", "status", "-n", copy.namespace, copy.workload, "--timeout=60s");
      kubectl.push(apply.seconds + wait.seconds);
      await bed.kubectl(text, "delete", "--ignore-not-found", "-f", "-");
    }
    const one: Timed[] = [];
    for (let index = 0; index < RUNS; index++) {
      one.push(await timed(host, async () => void (await service.end(await provision(`bench-one-${index}`)))));
    }
    const same: Timed[] = [];
    for (let index = 0; index < RUNS; index++) {
      const update = () => service.ask(`bench-one-${index}`, "update", { deployment: {} });
      same.push(await timed(host, async () => void (await service.end(await update()))));
    }
    const many = await timed(host, async () => {
      const ids = Array.from({ length: MANY }, (_, index) => `bench-many-${index}`);
      const asked = await Promise.all(ids.map(provision));
      for (const operation of asked) await service.end(operation);
    });
    const memory = memoryOfTree(host.pid ?? 0);
    const durations = await service.durations("bench-many-");
    const peer = median(kubectl);
    const alone = median(one.map(({ seconds }) => seconds));
    const nothing = median(same.map(({ seconds }) => seconds));
    const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;
    const rows = [
      ["kubectl apply, rollout status", peer.toFixed(2), "", "", ""],
      ["new runtime", alone.toFixed(2), each(one), `${(alone / peer).toFixed(1)}× kubectl`, "2.0×"],
      ["nothing to change", nothing.toFixed(2), each(same), "", "0.25 s"],
      [
        `${MANY} new runtimes`,
        many.seconds.toFixed(1),
        (many.cpuSeconds / MANY).toFixed(2),
        `${((MANY / many.seconds) * 60).toFixed(0)} a minute`,
        "180, 0.35 s",
      ],
      [
        `the last ${EDGE} beside the first ${EDGE} of them`,
        mean(durations.slice(-EDGE)).toFixed(2),
        "",
        `${(mean(durations.slice(-EDGE)) / mean(durations.slice(0, EDGE))).toFixed(2)}×`,
        "1.1×",
      ],
    ];
    const columns = ["SECONDS", "CPU s EACH", "RATE", "AIM"].map((title) => ({ title, align: "right" as const }));
    process.stdout.write(`\n${table([{ title: "THE SERVICE" }, ...columns], rows)}\n`);
    const waits = await service.waits();
    process.stdout.write(`memory of all processes after them: ${memory.toFixed(0)} MiB\n`);
    process.stdout.write(`queue latency: median ${median(waits).toFixed(0)} ms of ${waits.length}\n`);
  } finally {
    const removals = await Promise.all(made.map((id) => service.ask(id, "deprovision")));
    for (const operation of removals) await service.end(operation);
    host.kill("SIGTERM");
    await once(host, "exit");
    await service.remove();
  }
}

/** A process of the service without its API, with as many workers as is best on two cores. */
async function start(bed: Bed, { url }: ServiceBed): Promise<ChildProcess> {
  const host = spawn(process.execPath, ["--import", "tsx", path.join("test", "service", "host.ts")], {
    cwd: bed.root,
    env: {
      ...bed.yard.env,
      HOST_DATABASE: url,
      HOST_WORKERS: process.env["BENCH_WORKERS"] ?? "4",
      HOST_PLATFORM: "dev",
    },
    // It logs each operation; what fails is thrown here too.
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(host.stdout, "data");
  await sleep(3_000);
  return host;
}

async function timed(host: ChildProcess, work: () => Promise<void>): Promise<Timed> {
  const [cpu, began] = [cpuOfTree(host.pid ?? 0), performance.now()];
  await work();
  const seconds = (performance.now() - began) / 1000;
  return { seconds, cpuSeconds: cpuOfTree(host.pid ?? 0) - cpu };
}

const each = (list: readonly Timed[]): string => median(list.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2);

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

void main();

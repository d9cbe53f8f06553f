import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { table } from "../cli/terminal/table";
import { Bed } from "./support/bed";
import type { Cost } from "./support/measure";

const RUNTIMES = 100;
/** The peer is slow, and all of its runtimes cost the same. */
const PEER_RUNTIMES = 12;
/** Number of concurrent runtimes, and the target per minute. */
const ROUNDS = [
  { parallel: 1, aim: 60 },
  { parallel: 4, aim: 100 },
];

/**
 * Measures many new runtimes in Kubernetes: how many per minute, and the cost of each, against a script that uses the
 * Automation API as in its examples.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const provisioner = bed.provisioner("kubernetes");
  const rows: string[][] = [];
  for (const { parallel, aim } of ROUNDS) {
    const peer = await withRuntimes(bed, `naive-${parallel}`, PEER_RUNTIMES, (ids) =>
      naive(bed, provisioner, ids, parallel),
    );
    const ours = await withRuntimes(bed, `many-${parallel}`, RUNTIMES, (ids) =>
      upMany(bed, provisioner, ids, parallel),
    );
    rows.push(row(`Automation API, ${parallel} at a time`, PEER_RUNTIMES, peer));
    rows.push([
      ...row(`stackyard runtime up -f, ${parallel} at a time`, RUNTIMES, ours),
      `${(rate(RUNTIMES, ours) / rate(PEER_RUNTIMES, peer)).toFixed(1)}×`,
      String(aim),
    ]);
  }
  const columns = ["PER MINUTE", "CPU s EACH", "MEMORY MiB", "× PEER", "AIM"].map((title) => ({
    title,
    align: "right" as const,
  }));
  process.stdout.write(`\n${table([{ title: "MANY RUNTIMES" }, ...columns], rows)}\n`);
}

/** Runs a round with new ids, and deletes the runtimes afterwards. */
async function withRuntimes(
  bed: Bed,
  name: string,
  count: number,
  run: (ids: string[]) => Promise<Cost>,
): Promise<Cost> {
  const ids = Array.from({ length: count }, (_, index) => `bench-${name}-${index}`);
  const destroy = (id: string) => bed.stackyard("runtime", "destroy", id, "--yes");
  try {
    const cost = await run(ids);
    for (const id of ids) await destroy(id);
    return cost;
  } catch (error) {
    // Some may not exist; the first error is the relevant one.
    for (const id of ids) await destroy(id).catch(() => undefined);
    throw error;
  }
}

async function upMany(bed: Bed, provisioner: string, ids: readonly string[], parallel: number): Promise<Cost> {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-bench-"));
  const file = path.join(folder, "deployments.json");
  try {
    writeFileSync(file, JSON.stringify(Object.fromEntries(ids.map((id) => [id, { version: "v1", provisioner }]))));
    return await bed.stackyard("runtime", "up", "-f", file, "--parallel", String(parallel));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One process per lane, each with its share of the ids. */
async function naive(bed: Bed, provisioner: string, ids: readonly string[], parallel: number): Promise<Cost> {
  const script = path.join(__dirname, "support", "naive.ts");
  const lanes = Array.from({ length: parallel }, (_, lane) => ids.filter((_, index) => index % parallel === lane));
  const costs = await Promise.all(
    lanes.map((lane) => bed.run(bed.root, process.execPath, "--import", "tsx", script, provisioner, ...lane)),
  );
  return {
    seconds: Math.max(...costs.map(({ seconds }) => seconds)),
    cpuSeconds: costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    memoryMib: costs.reduce((sum, { memoryMib }) => sum + memoryMib, 0),
  };
}

function rate(count: number, { seconds }: Cost): number {
  return (count / seconds) * 60;
}

function row(name: string, count: number, cost: Cost): string[] {
  return [name, rate(count, cost).toFixed(0), (cost.cpuSeconds / count).toFixed(2), cost.memoryMib.toFixed(0)];
}

void main();

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { table } from "../cli/terminal/table";
import { projectRoot } from "../toolchain/root";
import { startYard, type Yard } from "../toolchain/yard";
import { measure, repeat, type Cost } from "./support/measure";
import { report } from "./support/report";

/** `STACKYARD_BENCH_OBJECTS=10000` for the long run, of which memory is what counts. */
const OBJECTS = Number(process.env["STACKYARD_BENCH_OBJECTS"] ?? 1000);
const PER_FILE = 10;
const RUNS = OBJECTS > 2000 ? 1 : 3;
const FLAGS = ["--yes", "--skip-preview", "--non-interactive", "--color=never", "--stack", "bench"];

/** A bundle of many ConfigMaps as a release of our provider; beside it kubectl with the same files. */
async function main(): Promise<void> {
  const bench = new Bench(projectRoot(), await startYard());
  try {
    await bench.open();
    const peer = await bench.rounds((round) => bench.kubectl("apply", "--server-side", "-n", `bench-kubectl-${round}`));
    const ours = await bench.rounds(
      (round) => bench.pulumi("up", round),
      () => bench.pulumi("destroy"),
    );
    const named = (name: string) => ({ kubectl: `kubectl, ${name}`, ours: `release, ${name}` });
    const rows = [
      { ...named("create"), aim: "1.5×", costs: [peer.create, ours.create] },
      { ...named("no change"), aim: "1.0×", costs: [peer.same, ours.same] },
      { ...named("change of one"), aim: "1.0×", costs: [peer.one, ours.one] },
    ] as const;
    report(
      `${OBJECTS} ConfigMaps`,
      rows.flatMap(({ kubectl, ours: name, aim, costs: [first, second] }) => [
        { name: kubectl, costs: first },
        { name, costs: second, peer: kubectl, aim },
      ]),
    );
    const memory = rows.map(({ ours: name, costs: [, costs] }) => [
      name,
      Math.max(...costs.map(({ memoryMib }) => memoryMib)).toFixed(0),
    ]);
    process.stdout.write(
      `\n${table([{ title: "PEAK MEMORY, ALL PROCESSES" }, { title: "MiB", align: "right" }], memory)}\n`,
    );
  } finally {
    await bench.close();
  }
}

interface Rounds {
  readonly create: readonly Cost[];
  readonly same: readonly Cost[];
  readonly one: readonly Cost[];
}

class Bench {
  readonly #folder: string;

  constructor(
    private readonly root: string,
    private readonly yard: Yard,
  ) {
    this.#folder = path.join(root, "node_modules", ".cache", "stackyard", "bench-bundles");
  }

  async open(): Promise<void> {
    mkdirSync(path.join(this.#folder, "manifests"), { recursive: true });
    const provider = path.join(this.root, "provider");
    writeFileSync(
      path.join(this.#folder, "Pulumi.yaml"),
      `name: stackyard-bench-bundles\nruntime: nodejs\nmain: index.js\nplugins: { providers: [{ name: stackyard, path: ${provider} }] }\n`,
    );
    writeFileSync(path.join(this.#folder, "index.js"), program(this.root, this.yard.kubeconfig));
    for (let round = 0; round < RUNS; round++) {
      for (const who of ["kubectl", "release"]) await this.#cluster("create", "namespace", `bench-${who}-${round}`);
    }
    await this.#run("pulumi", "stack", "init", "bench");
  }

  /** Each round in a namespace of its own, with files as they were at first. */
  async rounds(run: (round: number) => Promise<Cost>, end?: () => Promise<Cost>): Promise<Rounds> {
    const [create, same, one]: Cost[][] = [[], [], []];
    for (let round = 0; round < RUNS; round++) {
      this.#write("first");
      create!.push(await run(round));
      same!.push(...(await repeat(RUNS, () => run(round))));
      this.#write("second");
      one!.push(await run(round));
      await end?.();
    }
    return { create: create!, same: same!, one: one! };
  }

  kubectl(...args: string[]): Promise<Cost> {
    return this.#cluster(...args, "-f", path.join(this.#folder, "manifests"));
  }

  pulumi(verb: "up" | "destroy", round = 0): Promise<Cost> {
    const env = { ...this.yard.env, BENCH_NAMESPACE: `bench-release-${round}` };
    return measure({ argv: ["pulumi", verb, ...FLAGS], folder: this.#folder, env });
  }

  async close(): Promise<void> {
    for (let round = 0; round < RUNS; round++) {
      for (const who of ["kubectl", "release"]) {
        await this.#cluster("delete", "namespace", `bench-${who}-${round}`, "--ignore-not-found");
      }
    }
    await this.#run("pulumi", "stack", "rm", "bench", "--yes", "--force");
    rmSync(this.#folder, { recursive: true });
  }

  /** `value` is in the very first object only. */
  #write(value: string): void {
    for (let file = 0; file < OBJECTS / PER_FILE; file++) {
      const objects = Array.from({ length: PER_FILE }, (_, index) => {
        const number = file * PER_FILE + index;
        return [
          "apiVersion: v1\nkind: ConfigMap",
          `metadata:\n  name: bench-${number}\n  labels:\n    app: bench`,
          `data:\n  value: ${number === 0 ? value : "same"}\n  text: |\n    line one of ${number}\n    line two\n`,
        ].join("\n");
      });
      writeFileSync(path.join(this.#folder, "manifests", `bench-${file}.yaml`), objects.join("---\n"));
    }
  }

  #cluster(...args: string[]): Promise<Cost> {
    return this.#run("kubectl", "--kubeconfig", this.yard.kubeconfig, ...args);
  }

  #run(...argv: string[]): Promise<Cost> {
    return measure({ argv, folder: this.#folder, env: this.yard.env });
  }
}

/** Loads the resource as the programs of this checkout load theirs. */
const program = (root: string, kubeconfig: string): string => `
require("node:module").enableCompileCache?.();
require(${JSON.stringify(path.join(root, "node_modules", "tsx", "dist", "cjs", "api", "index.cjs"))}).register();
const { BundleRelease } = require(${JSON.stringify(path.join(root, "components", "resources", "bundleRelease.ts"))});
new BundleRelease("bench", {
  kubeconfig: require("node:fs").readFileSync(${JSON.stringify(kubeconfig)}, "utf8"),
  cluster: "https://bench",
  name: "bench",
  namespace: process.env.BENCH_NAMESPACE ?? "bench-release-0",
  sources: [{ type: "local", path: "." }],
});
`;

void main();

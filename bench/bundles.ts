import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { table } from "../cli/terminal/table";
import { projectRoot } from "../toolchain/root";
import { startYard, type Yard } from "../toolchain/yard/yard";
import { EmptyProgram } from "./support/emptyProgram";
import { measure, type Cost } from "./support/measure";
import { report } from "./support/report";

/** Set `STACKYARD_BENCH_OBJECTS=10000` for the long run, which measures memory. */
const OBJECTS = Number(process.env["STACKYARD_BENCH_OBJECTS"] ?? 1000);
const PER_FILE = 10;
const RUNS = OBJECTS > 2000 ? 1 : 3;
const FLAGS = ["--non-interactive", "--color=never", "--stack", "bench"];

/** The steps, with the corresponding kubectl command and the target as a multiple of its time and CPU. */
const STEPS = {
  preview: { kubectl: "apply --server-side --dry-run=server", aim: "0.9×" },
  create: { kubectl: "apply --server-side", aim: "0.6×, CPU 1.5×" },
  "no change": { kubectl: "apply --server-side", aim: "0.35×" },
  refresh: { kubectl: "diff --server-side", aim: "1.0×" },
  "change of one": { kubectl: "apply --server-side", aim: "1.0×" },
  destroy: { kubectl: "delete --wait=false", aim: "1.5×" },
} as const;

/** Each one uses its own namespaces. */
const WHO = ["kubectl", "release", "loop"] as const;

type Step = keyof typeof STEPS;
type Costs = Readonly<Record<Step, Cost[]>>;

const noCosts = (): Costs => ({
  preview: [],
  create: [],
  "no change": [],
  refresh: [],
  "change of one": [],
  destroy: [],
});

/** Measures a bundle of many ConfigMaps as a release of our provider, against kubectl with the same files. */
async function main(): Promise<void> {
  const bench = new Bench(projectRoot(), await startYard());
  try {
    await bench.open();
    const steps = Object.keys(STEPS) as Step[];
    const [peer, ours] = [noCosts(), noCosts()];
    const empty: Cost[] = [];
    const loop: Cost[] = [];
    // In turn, so that other work on the machine costs all of them the same.
    for (let round = 0; round < RUNS; round++) {
      await bench.round(peer, (step) => bench.kubectl(STEPS[step].kubectl, round));
      await bench.round(ours, (step) => bench.pulumi(step, round));
      empty.push(await bench.empty.run(...VERBS.create));
      loop.push(await bench.loop(round));
    }
    report(
      `${OBJECTS} ConfigMaps`,
      steps.flatMap((step) => {
        const kubectl = `${step}: kubectl ${STEPS[step].kubectl}`;
        return [
          { name: kubectl, costs: peer[step] },
          { name: `${step}: release`, costs: ours[step], peer: kubectl, aim: STEPS[step].aim },
        ];
      }),
    );
    report(`${OBJECTS} ConfigMaps created, beside the least that it can be`, [
      { name: "pulumi up of an empty program", costs: empty },
      { name: "a loop of server-side applies, 16 at a time", costs: loop },
      { name: FLOOR, costs: empty.map((one, round) => sum(one, loop[round] ?? one)), peer: KUBECTL_CREATE },
      { name: "create: release", costs: ours.create, peer: FLOOR, aim: "1.2×" },
      { name: KUBECTL_CREATE, costs: peer.create },
    ]);
    const memory = steps.map((step) => [step, Math.max(...ours[step].map(({ memoryMib }) => memoryMib)).toFixed(0)]);
    process.stdout.write(
      `\n${table([{ title: "PEAK MEMORY, ALL PROCESSES" }, { title: "MiB", align: "right" }], memory)}\n`,
    );
  } finally {
    await bench.close();
  }
}

const FLOOR = "both, one after the other";
const KUBECTL_CREATE = `kubectl ${STEPS.create.kubectl}`;

const sum = (one: Cost, other: Cost): Cost => ({
  seconds: one.seconds + other.seconds,
  cpuSeconds: one.cpuSeconds + other.cpuSeconds,
  memoryMib: Math.max(one.memoryMib, other.memoryMib),
});

/** The command and its flags for a step. */
const VERBS: Readonly<Record<Step, readonly string[]>> = {
  preview: ["preview"],
  create: ["up", "--yes", "--skip-preview"],
  "no change": ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "change of one": ["up", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

class Bench {
  readonly #folder: string;
  readonly empty: EmptyProgram;

  constructor(
    private readonly root: string,
    private readonly yard: Yard,
  ) {
    this.#folder = path.join(root, "node_modules", ".cache", "stackyard", "bench-bundles");
    const pulumi = (folder: string, ...args: string[]) =>
      measure({ argv: ["pulumi", ...args, "--non-interactive"], folder, env: yard.env });
    this.empty = new EmptyProgram({ root, pulumi });
  }

  async open(): Promise<void> {
    mkdirSync(path.join(this.#folder, "manifests"), { recursive: true });
    const provider = path.join(this.root, "provider");
    writeFileSync(
      path.join(this.#folder, "Pulumi.yaml"),
      `name: stackyard-bench-bundles\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\nplugins: { providers: [{ name: stackyard, path: ${provider} }] }\n`,
    );
    writeFileSync(path.join(this.#folder, "index.js"), program(this.root, "releaseProgram.ts"));
    writeFileSync(path.join(this.#folder, "applyLoop.js"), script(this.root, "applyLoop.ts"));
    for (let round = 0; round < RUNS; round++) {
      for (const who of WHO) await this.#cluster("create", "namespace", `bench-${who}-${round}`);
    }
    await this.#run("pulumi", "stack", "init", "bench");
    await this.empty.init();
  }

  /** Runs all steps, with the original files. */
  async round(costs: Costs, run: (step: Step) => Promise<Cost>): Promise<void> {
    const step = async (name: Step): Promise<unknown> => costs[name].push(await run(name));
    this.#write("first");
    await step("preview");
    await step("create");
    for (let again = 0; again < RUNS; again++) await step("no change");
    await step("refresh");
    this.#write("second");
    await step("change of one");
    await step("destroy");
  }

  kubectl(verb: string, round: number): Promise<Cost> {
    const place = ["-n", `bench-kubectl-${round}`, "-f", path.join(this.#folder, "manifests")];
    return this.#cluster(...verb.split(" "), ...place);
  }

  /** Applies the original manifests without kubectl and Pulumi. */
  loop(round: number): Promise<Cost> {
    this.#write("first");
    const { kubeconfig } = this.yard;
    return this.#run("node", "applyLoop.js", kubeconfig, path.join(this.#folder, "manifests"), `bench-loop-${round}`);
  }

  pulumi(step: Step, round: number): Promise<Cost> {
    const env = {
      ...this.yard.env,
      BENCH_NAMESPACE: `bench-release-${round}`,
      BENCH_KUBECONFIG: this.yard.kubeconfig,
    };
    return measure({ argv: ["pulumi", ...VERBS[step], ...FLAGS], folder: this.#folder, env });
  }

  async close(): Promise<void> {
    for (let round = 0; round < RUNS; round++) {
      for (const who of WHO) {
        await this.#cluster("delete", "namespace", `bench-${who}-${round}`, "--ignore-not-found");
      }
    }
    await this.#run("pulumi", "stack", "rm", "bench", "--yes", "--force");
    await this.empty.remove();
    rmSync(this.#folder, { recursive: true });
  }

  /** Only the first object contains `value`. */
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

/** Runs a file of this folder in the same way as the checkout's programs. */
const program = (root: string, entry: string): string =>
  `module.exports = require(${JSON.stringify(path.join(root, "foundation/loader/program"))}).runProgram("bench/support/${entry}");\n`;

/** The same without a Pulumi engine. */
const script = (root: string, entry: string): string =>
  `require(${JSON.stringify(path.join(root, "foundation/loader/fresh"))}).run("bench/support/${entry}")();\n`;

void main();

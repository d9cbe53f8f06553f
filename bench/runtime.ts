import { rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { Bed } from "./support/bed";
import { repeat, type Cost } from "./support/measure";
import { report } from "./support/report";
import { renamed, setOf } from "./support/renamed";

const RUNS = 5;
const PATTERN = "bench-pattern";

/**
 * Measures a new runtime from the request until it is ready, by `pulumi up` and by our CLI, against `kubectl apply
 * --server-side` of the same rendered objects and `kubectl rollout status`.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const provisioner = bed.provisioner("kubernetes");
  const made: string[] = [];
  const make = async (id: string): Promise<Cost> => {
    made.push(id);
    return bed.stackyard("runtime", "up", id, "--version", "1", "--provisioner", provisioner);
  };
  try {
    await make(PATTERN);
    const pattern = setOf(await bed.state(PATTERN));

    const kubectl = await repeat(RUNS, async (index) => {
      const copy = renamed(pattern, `bench-kubectl-${index}`);
      const text = JSON.stringify({ apiVersion: "v1", kind: "List", items: copy.objects });
      try {
        const apply = await bed.kubectl(text, "apply", "--server-side", "-f", "-");
        const wait = await bed.kubectl("", "rollout", "status", "-n", copy.namespace, copy.workload, "--timeout=60s");
        return sum(apply, wait);
      } finally {
        await bed.kubectl(text, "delete", "--ignore-not-found", "-f", "-");
      }
    });
    const byHand = await repeat(RUNS, async (index) => {
      const id = `bench-pulumi-${index}`;
      made.push(id);
      const file = path.join(bed.runtimeFolder, `Pulumi.${id}.yaml`);
      const init = await bed.pulumi(bed.runtimeFolder, "stack", "init", id, "--no-select");
      writeFileSync(file, stackFile(provisioner));
      const up = await bed.pulumi(bed.runtimeFolder, "up", "--yes", "--skip-preview", "--stack", id);
      return sum(init, up);
    });
    const ours = await repeat(RUNS, (index) => make(`bench-ours-${index}`));
    const peer = "kubectl apply, rollout status";
    report("new runtime until ready", [
      { name: peer, costs: kubectl },
      { name: "pulumi stack init, pulumi up", costs: byHand, peer, aim: "2.0 s" },
      { name: "stackyard runtime up", costs: ours, peer, aim: "1.0 s" },
    ]);
  } finally {
    for (const id of made) {
      await bed.stackyard("runtime", "destroy", id, "--yes");
      rmSync(path.join(bed.runtimeFolder, `Pulumi.${id}.yaml`), { force: true });
    }
  }
}

function sum(first: Cost, second: Cost): Cost {
  return {
    seconds: first.seconds + second.seconds,
    cpuSeconds: first.cpuSeconds + second.cpuSeconds,
    memoryMib: Math.max(first.memoryMib, second.memoryMib),
  };
}

function stackFile(provisioner: string): string {
  return [
    "config:",
    "  stackyard-runtime:platform: organization/stackyard/dev",
    "  stackyard-runtime:deployment:",
    "    slots: 1",
    '    version: "1"',
    `    provisioner: ${provisioner}`,
    "",
  ].join("\n");
}

void main();

import { committedConfig, configure, doubleCharts, worldWithAws } from "../test/engine/eks/world";
import * as path from "node:path";
import { bareProgram } from "./support/bareProgram";
import { Bed } from "./support/bed";
import { EmptyProgram } from "./support/emptyProgram";
import { measure, repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 5;

/**
 * Measures `pulumi preview` of the stack `prod`, with everything enabled and nothing deployed yet, against a
 * program that only registers the same resources; AWS is the tests' double.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const empty = new EmptyProgram(bed);
  const world = worldWithAws(bed.yard);
  const { repository, charts } = await doubleCharts(world.folder);
  const { env } = world.surroundings("platform");
  const withAws = (folder: string, ...args: string[]) =>
    measure({ argv: ["pulumi", ...args, "--non-interactive", "--color=never"], folder, env });
  const graph = path.join(bed.root, "test", "fixtures", "graphs", "prod.json");
  const bare = new EmptyProgram({ root: bed.root, pulumi: withAws }, "bare", bareProgram(graph));
  try {
    await empty.init();
    await bare.init();
    await configure(world, "prod", { ...committedConfig("prod"), charts });
    const argv = ["pulumi", "preview", "--stack", "prod", "--non-interactive", "--color=never"];
    const prod = () => measure({ argv, ...world.surroundings("platform") });
    const peer = () => empty.run("preview");
    const floor = () => bare.run("preview");
    // The first run of each writes compile caches and fetches the charts.
    for (const run of [peer, floor, prod]) await run();
    report("preview of prod", [
      { name: "empty program", costs: await repeat(RUNS, peer) },
      { name: "its resources, bare", costs: await repeat(RUNS, floor), peer: "empty program" },
      { name: "prod, everything on", costs: await repeat(RUNS, prod), peer: "empty program" },
    ]);
  } finally {
    await repository.stop();
    await bare.remove();
    world.remove();
    await empty.remove();
  }
}

void main();

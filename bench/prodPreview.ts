import { committedConfig, configure, doubleCharts, worldWithAws } from "../test/engine/eks/world";
import { Bed } from "./support/bed";
import { EmptyProgram } from "./support/emptyProgram";
import { measure, repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 5;

/**
 * Measures `pulumi preview` of the stack `prod`, with everything enabled and nothing deployed yet; AWS is the tests'
 * double.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const empty = new EmptyProgram(bed);
  const world = worldWithAws(bed.yard);
  const { repository, charts } = await doubleCharts(world.folder);
  try {
    await empty.init();
    await configure(world, "prod", { ...committedConfig("prod"), charts });
    const argv = ["pulumi", "preview", "--stack", "prod", "--non-interactive", "--color=never"];
    const prod = () => measure({ argv, ...world.surroundings("platform") });
    const peer = () => empty.run("preview");
    // The first run of each writes compile caches and fetches the charts.
    for (const run of [peer, prod]) await run();
    report("preview of prod", [
      { name: "empty program", costs: await repeat(RUNS, peer) },
      { name: "prod, everything on", costs: await repeat(RUNS, prod), peer: "empty program" },
    ]);
  } finally {
    await repository.stop();
    world.remove();
    await empty.remove();
  }
}

void main();

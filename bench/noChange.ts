import { Bed } from "./support/bed";
import { EmptyProgram } from "./support/emptyProgram";
import { repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 7;
const ID = "bench-no-change";

/**
 * Measures updates without changes: the platform, one runtime by `pulumi up` and by our CLI, against the minimum for
 * `pulumi up`: a precompiled program without resources.
 */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const empty = new EmptyProgram(bed);
  const up = ["up", "--yes", "--skip-preview"];
  const upEmpty = () => empty.run(...up);
  const upPlatform = () => bed.pulumi(bed.root, ...up, ...bed.platformFlags);
  const upRuntime = () => bed.pulumi(bed.runtimeFolder, ...up, "--stack", ID);
  try {
    await empty.init();
    await bed.stackyard("runtime", "up", ID, "--version", "1", "--provisioner", bed.provisioner("kubernetes"));
    // The first run of each writes compile caches and creates what is missing.
    for (const run of [upEmpty, upPlatform, upRuntime]) await run();
    report("no change", [
      { name: "empty program, pulumi up", costs: await repeat(RUNS, upEmpty) },
      {
        name: "platform, pulumi up",
        costs: await repeat(RUNS, upPlatform),
        peer: "empty program, pulumi up",
        aim: "1.3×",
      },
      {
        name: "runtime, pulumi up",
        costs: await repeat(RUNS, upRuntime),
        peer: "empty program, pulumi up",
        aim: "1.3×",
      },
      {
        name: "runtime, stackyard runtime up",
        costs: await repeat(RUNS, () => bed.stackyard("runtime", "up", ID)),
        peer: "empty program, pulumi up",
        aim: "1.3×",
      },
    ]);
  } finally {
    await bed.stackyard("runtime", "destroy", ID, "--yes");
    await empty.remove();
  }
}

void main();

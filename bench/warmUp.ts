import { Bed } from "./support/bed";
import { repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 5;

/** Measures `make up` when everything exists, against the `pulumi up` without changes that is part of it. */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const peer = "pulumi up of the platform";
  report("warm make up", [
    {
      name: peer,
      costs: await repeat(RUNS, () => bed.pulumi(bed.root, "up", "--yes", "--skip-preview", ...bed.platformFlags)),
    },
    { name: "make up", costs: await repeat(RUNS, () => bed.run(bed.root, "make", "up")), peer },
  ]);
}

void main();

import { addressOfMachine } from "../test/engine/runtime/behindService";
import { smallJob, TerasliceWorld } from "../test/engine/teraslice/world";
import { Bed } from "./support/bed";
import { EmptyProgram } from "./support/emptyProgram";
import { measure, repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 5;
const JOBS = 100;

/** Measures an update without changes, of a platform with a hundred Teraslice jobs; the master is the tests' double. */
async function main(): Promise<void> {
  const address = addressOfMachine();
  if (address === undefined)
    throw new Error("this machine has no address but the loopback one, which no API server reaches");
  const bed = await Bed.make();
  const empty = new EmptyProgram(bed);
  const world = await TerasliceWorld.make({ ...bed.yard, env: bed.yard.env }, address);
  const argv = ["pulumi", "up", "--yes", "--skip-preview", "-s", "here", "--non-interactive", "--color=never"];
  const up = () => measure({ argv, folder: world.project.folder, env: bed.yard.env });
  const upEmpty = () => empty.run("up", "--yes", "--skip-preview");
  try {
    await empty.init();
    for (const run of [upEmpty, up]) await run();
    const none = await repeat(RUNS, up);
    const keys = Array.from({ length: JOBS }, (_, index) => `job-${index}`);
    world.describeJobs(Object.fromEntries(keys.map((key) => [key, { ...smallJob(key), state: "registered" }])));
    const created = await up();
    report(`${JOBS} jobs of Teraslice`, [
      { name: "empty program, pulumi up", costs: await repeat(RUNS, upEmpty) },
      { name: "platform without jobs, no change", costs: none, peer: "empty program, pulumi up" },
      { name: `platform, ${JOBS} jobs registered`, costs: [created], peer: "empty program, pulumi up" },
      {
        name: `platform with ${JOBS} jobs, no change`,
        costs: await repeat(RUNS, up),
        peer: "empty program, pulumi up",
      },
    ]);
  } finally {
    await world.remove();
    await empty.remove();
  }
}

void main();

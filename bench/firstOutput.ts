import { Bed } from "./support/bed";
import { type Cost, repeat } from "./support/measure";
import { report } from "./support/report";

const RUNS = 15;

/** Measures how long a user in a terminal waits for the first output, against a client that only prints its version. */
async function main(): Promise<void> {
  const bed = await Bed.make();
  const first = (command: string) => async (): Promise<Cost> => {
    // `script` runs it in a pseudo terminal.
    const cost = await bed.run(bed.root, "script", "-q", "-e", "-f", "-c", command, "/dev/null");
    return { ...cost, seconds: cost.firstSeconds ?? cost.seconds };
  };
  const peer = "kubectl version --client";
  const costsOf = async (command: string): Promise<Cost[]> => {
    await first(command)();
    return repeat(RUNS, first(command));
  };
  report("first output in a terminal", [
    { name: peer, costs: await costsOf(peer) },
    { name: "stackyard runtime list", costs: await costsOf("cli/bin/stackyard runtime list"), peer, aim: "0.3 s" },
    { name: "stackyard --help", costs: await costsOf("cli/bin/stackyard --help"), peer, aim: "0.3 s" },
  ]);
}

void main();

import { createInterface } from "node:readline/promises";
import { Failure } from "../../foundation/errors";

/** Asks a yes-or-no question; any answer except yes means no. Throws without a terminal. */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Failure(`${question} Standard input is not a terminal, so it can't be answered; pass --yes to confirm`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // While a line is read, Ctrl-C is a key and not a signal.
    terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    return /^\s*y(es)?\s*$/i.test(await terminal.question(`${question} [y/N] `));
  } finally {
    terminal.close();
  }
}

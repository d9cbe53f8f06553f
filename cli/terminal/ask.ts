import { createInterface } from "node:readline/promises";
import { Failure } from "../../foundation/errors";
import { interrupt, Interrupted } from "../../engine/process/interrupt";
import { endStatus } from "./live";

/**
 * Asks a yes-or-no question; any answer except yes means no. Without a terminal, throws an error that names the flag.
 */
export async function confirm(question: string): Promise<boolean> {
  return /^\s*y(es)?\s*$/i.test(await askLine(question, "[y/N]"));
}

/** Asks for a confirmation of an irreversible operation on many resources: the user must type their number. */
export async function confirmNumber(question: string, number: number): Promise<boolean> {
  return (await askLine(question, `Type ${number} to agree:`)).trim() === String(number);
}

/** Asks for a line. Without a terminal, throws an error that names the flag for it. */
export async function askLine(question: string, how: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Failure(`${question} Standard input is not a terminal, so it can't be answered; pass --yes to confirm.`);
  }
  endStatus();
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      // While a line is read, Ctrl-C is a key and not a signal. Ctrl-D and the end of the terminal close the input.
      terminal.once("SIGINT", () => {
        reject(new Interrupted());
        terminal.close();
        process.stderr.write("\n");
        interrupt("SIGINT");
      });
      terminal.once("close", () => resolve(""));
      terminal.question(`${question} ${how} `).then(resolve, reject);
    });
  } finally {
    terminal.close();
  }
}

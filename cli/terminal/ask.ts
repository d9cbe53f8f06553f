import { createInterface } from "node:readline/promises";
import { Failure } from "../errors";

/**
 * Asks a yes-or-no question; anything but yes is no.
 * Where nobody can answer, that is an error which names the flag.
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Failure(
      `${question} Nobody can answer here because standard input is not a terminal; add --yes to agree.`,
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    return /^\s*y(es)?\s*$/i.test(answer);
  } finally {
    terminal.close();
  }
}

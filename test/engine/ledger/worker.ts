/**
 * One process of many that take slots at the same time. Arguments: ledger URL, pool, deployment, slots.
 * Prints `ready`, waits for a line, takes the slots, and prints the host or what went wrong.
 */

import { createInterface } from "node:readline";
import { allocate } from "../../../provider/ledger/allocations";
import { closeLedgers } from "../../../provider/ledger/database";
import { claim } from "./claims";

const [url = "", pool = "", deployment = "", slots = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  process.stdout.write("ready\n");
  await new Promise((resolve) => lines.once("line", resolve));
  lines.close();
  try {
    const { host } = await allocate(url, { pool, deployment, slots: Number(slots), claimant: claim(deployment) });
    process.stdout.write(`${JSON.stringify({ host })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ error: error instanceof Error ? error.message : String(error) })}\n`);
  }
  await closeLedgers();
}

void main();

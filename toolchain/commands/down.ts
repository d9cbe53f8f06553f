import * as fs from "node:fs";
import * as path from "node:path";
import { isLocked } from "../bootstrap/lock";
import { duration, say } from "../bootstrap/progress";
import { stopYard } from "../yard";
import { testLock, testYards } from "./test";

/** Yards that tests left behind because they were killed; those of tests which run are theirs to stop. */
async function stopTestYards(root: string): Promise<void> {
  if (isLocked(testLock(root))) return;
  for (const directory of testYards(root)) {
    await stopYard({ directory });
    fs.rmSync(directory, { recursive: true, force: true });
  }
}

/** `make down`: stops this checkout's yard and removes it; tools and npm packages stay. */
export async function down(root: string): Promise<number> {
  const started = Date.now();
  await stopTestYards(root);
  const there = await stopYard({ directory: path.join(root, ".yard") });
  say(
    there
      ? `✓ Local yard stopped and removed: ${duration(Date.now() - started)}`
      : "✓ There is no local yard; nothing to stop",
  );
  return 0;
}

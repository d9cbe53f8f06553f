import * as fs from "node:fs";
import * as path from "node:path";
import { isLocked } from "../bootstrap/lock";
import { duration, say } from "../bootstrap/progress";
import { stopYard } from "../yard";
import { testLock, testYard } from "./test";

/** A yard that tests left behind because they were killed; that of tests which run is theirs to stop. */
async function stopTestYard(root: string): Promise<void> {
  const directory = testYard(root);
  if (!fs.existsSync(directory) || isLocked(testLock(root))) return;
  await stopYard({ directory });
  fs.rmSync(directory, { recursive: true, force: true });
}

/** `make down`: stops this checkout's yard and removes it; tools and npm packages stay. */
export async function down(root: string): Promise<number> {
  const started = Date.now();
  await stopTestYard(root);
  const there = await stopYard({ directory: path.join(root, ".yard") });
  say(
    there
      ? `✓ Local yard stopped and removed: ${duration(Date.now() - started)}`
      : "✓ There is no local yard; nothing to stop",
  );
  return 0;
}

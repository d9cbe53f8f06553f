import * as fs from "node:fs";
import * as path from "node:path";
import { duration, say } from "../bootstrap/progress";
import { stopYard } from "../yard/yard";
import { leftYards } from "../yard/sideYards";

/** `make down`: stops and removes this checkout's yard, and those of killed tests. Tools and npm packages stay. */
export async function down(root: string): Promise<number> {
  const started = Date.now();
  for (const directory of leftYards(root)) {
    await stopYard({ directory });
    fs.rmSync(directory, { recursive: true, force: true });
  }
  const there = await stopYard({ directory: path.join(root, ".yard") });
  say(
    there
      ? `✓ Local yard stopped and removed: ${duration(Date.now() - started)}`
      : "✓ There is no local yard; nothing to stop",
  );
  return 0;
}

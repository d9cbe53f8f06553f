import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { say } from "../bootstrap/progress";
import { ensureTools } from "../tools/ensure";
import { sideLock } from "../yard/sideYards";
import { run } from "./run";

/** `make story`: a test of a platform at work, with a million records, and a picture of it. */
export async function story(root: string): Promise<number> {
  const { path: folders } = await ensureTools(root);
  const picture = path.join(root, ".yard", "story.svg");
  const env = { ...process.env, STORY: picture, PATH: [...folders, process.env["PATH"]].join(path.delimiter) };
  const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
  const folder = path.join("test", "engine", "story");
  const files = ["--require", path.join(folder, "recorder.ts"), path.join(folder, "story.test.ts")];
  return withLock(
    sideLock(root, "test"),
    async () => {
      const code = await run(process.execPath, [mocha, "--config", ".mocharc.engine.yaml", ...files], {
        cwd: root,
        env,
      });
      say(`${code === 0 ? "✓" : "✗"} make story; its picture is ${picture}`);
      return code;
    },
    (holder) => say(`• Process ${holder} runs tests in this checkout; waiting`),
  );
}

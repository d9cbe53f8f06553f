import * as path from "node:path";
import { withLock } from "../bootstrap/lock";
import { say } from "../bootstrap/progress";
import { ensureTools } from "../tools/ensure";
import { terasliceStack } from "../yard/processNode/teraslice";
import { sideLock } from "../yard/sideYards";
import { run } from "./run";

/** Tests that it consists of, in order. */
const CHAPTERS = ["test/engine/ray/notebook.test.ts", "test/engine/story/story.test.ts"];

/** `make story`: tests of a platform at work, with a million records, and a picture of them. */
export async function story(root: string): Promise<number> {
  const stack = await terasliceStack(root);
  if ("missing" in stack) throw new Error(`the story can't run here: ${stack.missing}`);
  const { path: folders } = await ensureTools(root);
  const picture = path.join(root, ".yard", "story.svg");
  const env = { ...process.env, STORY: picture, PATH: [...folders, process.env["PATH"]].join(path.delimiter) };
  const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
  const recorder = path.join("test", "engine", "story", "recorder.ts");
  const args = [mocha, "--config", ".mocharc.engine.yaml", "--require", recorder, ...CHAPTERS];
  return withLock(
    sideLock(root, "test"),
    async () => {
      const code = await run(process.execPath, args, { cwd: root, env });
      say(`${code === 0 ? "✓" : "✗"} make story; its picture is ${picture}`);
      return code;
    },
    (holder) => say(`• Process ${holder} runs tests in this checkout; waiting`),
  );
}

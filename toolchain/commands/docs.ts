import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { say } from "../bootstrap/progress";
import { sitePages } from "../docs/pages";
import { run } from "./run";

const COMMANDS = [
  ["node_modules/typedoc/bin/typedoc", "--options", "toolchain/docs/typedoc.config.mjs"],
  ["node_modules/@rspress/core/bin/rspress.js", "build", "--config", "toolchain/docs/rspress.config.ts"],
] as const;

/** `make docs`: builds the site of docs/ in .site/html, without the network. */
export async function docs(root: string): Promise<number> {
  const pages = join(root, ".site", "pages");
  rmSync(join(root, ".site"), { recursive: true, force: true });
  for (const [file, content] of sitePages(root)) {
    mkdirSync(dirname(join(pages, file)), { recursive: true });
    writeFileSync(join(pages, file), content);
  }
  for (const command of COMMANDS) {
    const code = await run(process.execPath, command, { cwd: root });
    if (code !== 0) return code;
  }
  say("✓ The site is in .site/html; to read it: npx rspress preview --config toolchain/docs/rspress.config.ts");
  return 0;
}

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { say } from "../bootstrap/progress";
import { sitePages } from "../docs/pages";
import { run } from "./run";

const BUILD = ["node_modules/@rspress/core/bin/rspress.js", "build", "--config", "toolchain/docs/rspress.config.ts"];

/** `make docs`: builds the site of docs/ in .site/html, without the network. */
export async function docs(root: string): Promise<number> {
  const pages = join(root, ".site", "pages");
  rmSync(join(root, ".site"), { recursive: true, force: true });
  for (const [file, content] of sitePages(root)) {
    mkdirSync(dirname(join(pages, file)), { recursive: true });
    writeFileSync(join(pages, file), content);
  }
  const code = await run(process.execPath, BUILD, { cwd: root });
  if (code !== 0) return code;
  say("✓ The site is in .site/html; to read it: npx rspress preview --config toolchain/docs/rspress.config.ts");
  return 0;
}

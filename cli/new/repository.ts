import { mkdir, readdir, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { isMissing } from "../../foundation/errorCode";
import { Failure } from "../../foundation/errors";
import { success, type Context } from "../context";
import { askLine } from "../terminal/ask";
import { chooseParts } from "./choose";
import { firstCommands, repositoryFiles } from "./files";
import type { NewOptions } from "./options";

/** Writes a repository with a platform into a folder that is empty, or prints its files. */
export async function newRepository(context: Context, given: string, options: NewOptions): Promise<void> {
  const folder = path.resolve(given);
  await refuseUsed(folder);
  const choices = await chooseParts(options, process.stdin.isTTY === true ? (text) => askLine(text, "") : undefined);
  const files = repositoryFiles(path.basename(folder), choices);
  if (options.dryRun === true) {
    context.print(
      Object.entries(files)
        .map(([file, text]) => `# ${file}\n${text}`)
        .join("\n")
        .trimEnd(),
    );
    return;
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    // Fails if another process writes there at the same time.
    await writeFile(path.join(folder, file), text, { flag: "wx" });
  }
  success(context, `${folder} has ${Object.keys(files).length} files. Next:`);
  context.print([`cd ${JSON.stringify(given)}`, ...firstCommands(choices)].join("\n"));
}

/** A new git repository counts as empty. */
async function refuseUsed(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new Failure(`${folder} is no folder that can be read; expected one that is empty or not there yet`);
  });
  const [first] = entries.filter((name) => name !== ".git");
  if (first !== undefined) throw new Failure(`${folder} is not empty: it has ${first}. Nothing was written`);
}

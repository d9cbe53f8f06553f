import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Context } from "../context";
import { Failure, messageOf } from "../../foundation/errors";
import { ImportError, importProvisionerSet, type ImportResult } from "./import/importer";
import { StackFile } from "../../engine/stack/file";
import { platformReference } from "../../engine/stack/names";
import { confirm } from "../terminal/ask";
import { diff } from "../terminal/diff";
import type { ProvisionerImportOptions } from "./options";

const PROVISIONERS = "stackyard:provisioners";

/** Imports a provisioner set: shows its changes of the stack file, then applies them. */
export async function importSet(context: Context, source: string, options: ProvisionerImportOptions): Promise<void> {
  const stack = platformReference(options.stack).split("/").at(-1) ?? options.stack;
  const { config, notes } = convert(await read(source), options.default);
  const file = await StackFile.read(context.root, stack);
  const before = file.exists ? file.text() : "";
  for (const [key, value] of Object.entries(config)) file.setConfig(key, merged(key, file.config(key), value));

  const { live, colours } = context;
  const name = source === "-" ? "standard input" : source;
  for (const note of notes) live.line(`${colours.warn("note:")} ${name}:${note.line}:${note.column}: ${note.message}`);
  const changes = diff(before, file.text());
  const target = path.relative(process.cwd(), file.file) || file.file;
  if (changes.length === 0) {
    live.line(`${target} has all of these settings already`);
    return;
  }
  context.print(`${target}:\n${changes.join("\n")}`);
  if (options.dryRun === true) {
    live.line("nothing was changed (--dry-run)");
    return;
  }
  if (options.yes !== true && !(await confirm(`Change ${target} like this?`))) {
    throw new Failure(`${target} was left as it is`);
  }
  await file.write();
  live.line(`${target} is changed; "pulumi up --stack ${stack}" applies it`);
}

/** Provisioners that are not in the imported set stay. */
function merged(key: string, before: unknown, value: unknown): unknown {
  if (key !== PROVISIONERS || typeof before !== "object" || before === null) return value;
  return { ...before, ...(value as object) };
}

function convert(text: string, defaultProvisioner: string | undefined): ImportResult {
  try {
    return importProvisionerSet(text, { defaultProvisioner });
  } catch (error) {
    throw error instanceof ImportError ? new Failure(error.message) : error;
  }
}

async function read(source: string): Promise<string> {
  try {
    return await readFile(source === "-" ? "/dev/stdin" : source, "utf8");
  } catch (error) {
    throw new Failure(`${source} cannot be read: ${messageOf(error)}`);
  }
}

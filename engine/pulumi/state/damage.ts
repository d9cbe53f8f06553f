import { copyFile, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../foundation/errors";
import { parseCheckpoint, UnknownLayoutError } from "./checkpoint";
import { checkpointFile, decodeCheckpoint } from "./encoding";
import { isMissing } from "../../../foundation/errorCode";
import { writeWhole } from "../../../foundation/wholeFile";
import { unlessUnwritable } from "../../../foundation/unwritable";

/*
 * Damage that a killed CLI or a machine crash can leave in a state folder. The CLI writes a checkpoint in three steps:
 * a copy of the old one (`.bak`), the attributes of the new one (`.attrs`, in place), the new one itself (renamed).
 * Empty attributes make every command fail with "failed to load checkpoint: EOF", although the state is intact.
 */

/** Another process may be writing the file at this moment. */
const LOOK_AGAIN_AFTER_MS = 50;

/** What was repaired and what could not be, one sentence each. */
export interface Repairs {
  readonly repaired: readonly string[];
  readonly beyond: readonly string[];
}

/** Repairs all stacks in a state folder (`…/.pulumi`). */
export async function repairFolder(folder: string): Promise<Repairs> {
  const stacks = path.join(folder, "stacks");
  const repaired = [...(await repairAttributes([path.join(folder, "meta.yaml")])), ...(await repairLayout(folder))];
  const beyond: string[] = [];
  repaired.push(...(await removeBrokenLocks(folder)));
  for (const { name: project } of (await entriesOf(stacks)).filter((entry) => entry.isDirectory())) {
    for (const { name } of await entriesOf(path.join(stacks, project))) {
      const file = path.join(stacks, project, name);
      if (name.endsWith(".attrs")) repaired.push(...(await repairAttributes([file.slice(0, -".attrs".length)])));
      const stack = checkpointFile(name)?.stack;
      if (stack === undefined) continue;
      try {
        repaired.push(...(await repairState(file, project, stack)));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        beyond.push(error.message);
      }
    }
  }
  return { repaired, beyond };
}

/** Writes the version of the layout again. Folders of projects exist only in the version that this one is. */
async function repairLayout(folder: string): Promise<string[]> {
  const file = path.join(folder, "meta.yaml");
  const isEmpty = async (): Promise<boolean | undefined> => {
    const content = await contentOf(file);
    return content && content.toString("utf8").trim() !== "";
  };
  const projects = (await entriesOf(path.join(folder, "stacks"))).filter((entry) => entry.isDirectory());
  if (projects.length === 0 || !(await isBroken(isEmpty))) return [];
  await unlessUnwritable(file, () => writeWhole(file, Buffer.from("version: 1\n")));
  return [`repaired the state: ${file}, which was empty, has the version of the layout again`];
}

/** Removes broken attribute files. The CLI does not need them. */
export async function repairAttributes(files: readonly string[]): Promise<string[]> {
  const notes = await Promise.all(
    files.map(async (of) => {
      const file = `${of}.attrs`;
      if (!(await isBroken(() => isJson(file)))) return [];
      await rm(file, { force: true });
      return [`repaired the state: removed ${file}, which a killed process had left empty or truncated`];
    }),
  );
  return notes.flat();
}

/** Lock files that are empty or truncated, as a full disk leaves them. The CLI fails on each, whatever its name. */
export async function brokenLocks(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(folder, "locks"), { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    },
  );
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const broken = await Promise.all(files.map((file) => isBroken(() => isJson(file))));
  return files.filter((_, index) => broken[index]).sort();
}

/** A lock without content names no process, and its writer has failed: it writes the file before it starts. */
async function removeBrokenLocks(folder: string): Promise<string[]> {
  const files = await brokenLocks(folder);
  await Promise.all(files.map((file) => rm(file, { force: true })));
  return files.map((file) => `repaired the state: removed the lock ${file}, which was empty or truncated`);
}

/**
 * Restores a damaged state from its backup, or removes that of a stack that never had resources. Throws if there is no
 * intact backup, and if the disk is full.
 */
export async function repairState(file: string, project: string, stack: string): Promise<string[]> {
  if (!(await isBroken(() => isCheckpoint(file)))) return [];
  if (await isNew(file, project, stack)) {
    await rm(file, { force: true });
    return [`repaired the state: removed ${file}, which was empty; stack ${project}/${stack} had no resources yet`];
  }
  const backup = await newestBackup(file, project, stack);
  if (backup === undefined) {
    throw new Failure(
      `the state of stack ${project}/${stack} is damaged: ${file} is empty or cut off, and neither ${file}.bak nor ` +
        `${backupsOf(file, project, stack)} has an intact older one. Restore a backup of your own`,
    );
  }
  const aside = `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, "")}`;
  const restored = `${file}.${process.pid}.tmp`;
  await unlessUnwritable(
    `the state of stack ${project}/${stack} is damaged and can't be restored from ${backup}; ${file}`,
    async () => {
      try {
        await copyFile(backup, restored);
        await copyFile(file, aside);
        await rename(restored, file);
      } catch (error) {
        await Promise.all([restored, aside].map((copy) => rm(copy, { force: true })));
        throw error;
      }
    },
  );
  await rm(`${file}.attrs`, { force: true });
  return [
    `repaired the state of stack ${project}/${stack}: ${file} was empty or truncated and is restored from ${backup}, ` +
      `which may lack the last step of the last update; the damaged file is kept as ${aside}`,
  ];
}

const backupsOf = (file: string, project: string, stack: string): string =>
  path.join(file, "../../../backups", project, stack);

/**
 * The newest intact copy: the CLI keeps the state before each step as `.bak`, and that after each update in a folder. So
 * the `.bak` is the older one unless an update was interrupted.
 */
async function newestBackup(file: string, project: string, stack: string): Promise<string | undefined> {
  const folder = backupsOf(file, project, stack);
  const { ending = "" } = checkpointFile(path.basename(file)) ?? {};
  const names = (await entriesOf(folder)).map(({ name }) => name).filter((name) => name.endsWith(ending));
  const copies = [`${file}.bak`, ...names.map((name) => path.join(folder, name))];
  const dated = await Promise.all(
    copies.map(async (copy) => ({ copy, at: (await stat(copy).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  for (const { copy } of dated.sort((a, b) => b.at - a.at)) if (await isCheckpoint(copy, file)) return copy;
  return undefined;
}

/** Whether the file is empty and no update has ever saved the stack: that would have left a `.bak` and a history. */
async function isNew(file: string, project: string, stack: string): Promise<boolean> {
  if ((await contentOf(file))?.length !== 0) return false;
  const home = path.join(file, "../../..");
  const traces = [`${file}.bak`, ...["history", "backups"].map((kind) => path.join(home, kind, project, stack))];
  const found = await Promise.all(traces.map((trace) => stat(trace).catch(() => undefined)));
  return found.every((trace) => trace === undefined);
}

/** False for an intact file, and for one that is gone or intact a moment later. */
async function isBroken(isWhole: () => Promise<boolean | undefined>): Promise<boolean> {
  if ((await isWhole()) !== false) return false;
  await sleep(LOOK_AGAIN_AFTER_MS);
  return (await isWhole()) === false;
}

/** Undefined if the file does not exist. */
async function isJson(file: string): Promise<boolean | undefined> {
  const content = await contentOf(file);
  if (content === undefined) return undefined;
  try {
    JSON.parse(content.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Undefined if the file does not exist. `named` is the file name whose ending determines the encoding. */
async function isCheckpoint(file: string, named = file): Promise<boolean | undefined> {
  const content = await contentOf(file);
  if (content === undefined) return undefined;
  const { stack = "", ending = "" } = checkpointFile(path.basename(named)) ?? {};
  try {
    parseCheckpoint(stack, await decodeCheckpoint(ending, content));
    return true;
  } catch (error) {
    return error instanceof UnknownLayoutError;
  }
}

async function contentOf(file: string): Promise<Buffer | undefined> {
  try {
    return (await stat(file)).isFile() ? await readFile(file) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Reports a repair on standard error, because standard output carries the result. */
export const reportRepair = (text: string): void => void process.stderr.write(`${text}\n`);

import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { Failure } from "../../../foundation/errors";
import { parseCheckpoint, type StackState } from "./checkpoint";
import { brokenLocks, repairAttributes, repairState, reportRepair } from "./damage";
import type { Lock } from "../engineLock";
import { checkpointFile, decodeCheckpoint, ENDINGS } from "./encoding";
import { unlessUnwritable } from "../../../foundation/unwritable";
import { withStackLock } from "./guarded";
import { emptyCheckpoint, parseLock, type Damage, type StateStore } from "./stateStore";
import { isMissing } from "../../../foundation/errorCode";
import { createWhole } from "../../../foundation/wholeFile";
import { folderOfUrl } from "../../backend/fileUrl";

/** Reads and writes states in a folder. */
export class FileStore implements StateStore {
  readonly isDirect = true;

  private constructor(
    private readonly folder: string,
    private readonly report: (text: string) => void,
  ) {}

  /** `report` receives what had to be repaired before reading. */
  static open(url: string, base: string, report = reportRepair): FileStore {
    return new FileStore(path.join(folderOfUrl(url, base), ".pulumi"), report);
  }

  async list(project: string): Promise<StackState[]> {
    const folder = path.join(this.folder, "stacks", project);
    let files: string[];
    try {
      files = await readdir(folder);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.mustExist();
      return []; // No stack exists yet.
    }
    const names = new Set(files.flatMap((file) => checkpointFile(file)?.stack ?? []));
    const found = await Promise.all(
      [...names].sort().map(async (name) => {
        try {
          return await this.find(project, name);
        } catch (error) {
          // A damaged stack must not hide the others.
          if (!(error instanceof Failure)) throw error;
          this.report(error.message);
          return undefined;
        }
      }),
    );
    return found.filter((state) => state !== undefined);
  }

  async find(project: string, stack: string): Promise<StackState | undefined> {
    const found = await this.locate(project, stack);
    if (!found) return undefined;
    const read = async (): Promise<StackState> => {
      const [content, { mtime }] = await Promise.all([readFile(found.file), stat(found.file)]);
      return parseCheckpoint(stack, await decodeCheckpoint(found.ending, content), mtime);
    };
    try {
      // Broken attributes don't matter here, but to the CLI, which often runs next.
      for (const text of await repairAttributes([found.file])) this.report(text);
      return await read();
    } catch (error) {
      if (isMissing(error)) return undefined; // Removed in between.
      const repaired = await repairState(found.file, project, stack);
      if (repaired.length === 0) throw error;
      repaired.forEach(this.report);
      // The file of a stack that never had resources is removed.
      return (await this.locate(project, stack)) === undefined ? undefined : read();
    }
  }

  async exists(project: string, stack: string): Promise<boolean> {
    return (await this.locate(project, stack)) !== undefined;
  }

  async create(project: string, stack: string): Promise<boolean> {
    if (!(await this.isCurrentLayout())) return false;
    const folder = path.join(this.folder, "stacks", project);
    const file = path.join(folder, `${stack}.json`);
    await unlessUnwritable(file, async () => {
      await mkdir(folder, { recursive: true });
      // If another process created it first, that is fine.
      await createWhole(file, emptyCheckpoint(project, stack));
    });
    return true;
  }

  async removeIf(project: string, stack: string, isAsAsked: (state: StackState) => boolean): Promise<boolean> {
    const locks = this.lockFolder(project, stack);
    const files = {
      listLocks: () => this.lockFiles(locks),
      writeLock: async (name: string, content: string) => {
        await mkdir(locks, { recursive: true });
        await writeFile(path.join(locks, name), content, { mode: 0o600 });
      },
      removeLock: (name: string) => rm(path.join(locks, name), { force: true }),
    };
    const removed = await withStackLock(files, async () => {
      const [found, state] = [await this.locate(project, stack), await this.find(project, stack)];
      if (!found || !state || !isAsAsked(state)) return false;
      await rename(found.file, `${found.file}.bak`);
      await rm(`${found.file}.attrs`, { force: true });
      await rm(path.join(this.folder, "history", project, stack), { recursive: true, force: true });
      return true;
    });
    return removed ?? false;
  }

  async locks(project: string, stack: string): Promise<Lock[]> {
    const folder = this.lockFolder(project, stack);
    const files = (await this.lockFiles(folder)).filter((file) => file.endsWith(".json"));
    const found = await Promise.all(
      files.map(async (file) => parseLock(await readFile(path.join(folder, file), "utf8").catch(() => ""), file)),
    );
    return found.flat();
  }

  async damaged(project: string): Promise<Damage[]> {
    const folder = path.join(this.folder, "stacks", project);
    const files = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const names = [...new Set(files.flatMap((file) => checkpointFile(file)?.stack ?? []))].sort();
    const states = await Promise.all(
      names.map(async (stack): Promise<Damage[]> => {
        try {
          await this.find(project, stack);
          return [];
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          return [{ stack, text: error.message }];
        }
      }),
    );
    const locks = (await brokenLocks(this.folder)).filter(
      (file) => path.basename(path.dirname(path.dirname(file))) === project,
    );
    const ofLocks = locks.map((file) => ({
      stack: path.basename(path.dirname(file)),
      text: `its lock ${file} is empty or cut off; the next command that changes the stack removes it`,
    }));
    return [...states.flat(), ...ofLocks];
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private lockFolder(project: string, stack: string): string {
    return path.join(this.folder, "locks", "organization", project, stack);
  }

  /** Without attributes, which the CLI ignores too: a killed engine leaves those of a lock that it was writing. */
  private async lockFiles(folder: string): Promise<string[]> {
    try {
      return (await readdir(folder)).filter((file) => !file.endsWith(".attrs"));
    } catch (error) {
      if (isMissing(error)) return []; // The stack was never locked.
      throw error;
    }
  }

  /** Throws if the folder is missing: an empty list would hide a wrong URL. */
  private async mustExist(): Promise<void> {
    const home = path.dirname(this.folder);
    try {
      await stat(home);
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new Failure(`there is no folder ${home}; expected the state that PULUMI_BACKEND_URL names`);
    }
  }

  private async locate(project: string, stack: string): Promise<{ file: string; ending: string } | undefined> {
    for (const ending of ENDINGS) {
      const file = path.join(this.folder, "stacks", project, stack + ending);
      try {
        if ((await stat(file)).isFile()) return { file, ending };
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    }
    return undefined;
  }

  private async isCurrentLayout(): Promise<boolean> {
    try {
      return /^version:\s*1\s*$/m.test(await readFile(path.join(this.folder, "meta.yaml"), "utf8"));
    } catch (error) {
      if (isMissing(error)) return false; // A new backend: the CLI decides on its layout.
      throw error;
    }
  }
}

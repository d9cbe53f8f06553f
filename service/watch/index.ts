import * as path from "node:path";
import type { Capacity } from "../capacity";
import type { Database } from "../database/database";
import type { Log } from "../workers/log";
import { watchCapacity } from "./capacity";
import { watchHealth } from "./health";

export interface WatchOptions {
  readonly database: Database;
  /** Folder of the platform's project. */
  readonly root: string;
  readonly capacity: Pick<Capacity, "read" | "platform">;
  readonly log: Log;
}

const TASK = "watch";

/** Looks by itself how full provisioners are and whether runtimes are ready: each minute, in one process. */
export class Watch {
  constructor(private readonly options: WatchOptions) {}

  readonly crontab = `* * * * * ${TASK}`;

  /** The queue's task. */
  get tasks(): Readonly<Record<string, () => Promise<void>>> {
    return { [TASK]: () => this.look() };
  }

  /** What can't be read is logged, and looked at again a minute later. */
  async look(): Promise<void> {
    const { database, root, capacity, log } = this.options;
    try {
      await watchCapacity(database, await capacity.read());
    } catch (error) {
      log.warn({ err: error }, "the capacity of provisioners could not be read");
    }
    try {
      await watchHealth(database, path.join(root, "runtime"), (name) => capacity.platform(name));
    } catch (error) {
      log.warn({ err: error }, "the health of runtimes could not be read");
    }
  }
}

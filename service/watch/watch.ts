import type { Workspace } from "../../foundation/pulumi/backend";
import type { Capacity } from "../capacity/capacity";
import type { Database } from "../database/database";
import type { Log } from "../log";
import { watchCapacity } from "./capacity";
import { watchHealth } from "./health/watch";
import type { Hear } from "./notices";

export interface WatchOptions {
  readonly database: Database;
  /** That of the runtimes. */
  readonly workspace: Workspace;
  readonly capacity: Pick<Capacity, "read" | "platform">;
  readonly log: Log;
  /** Called for each notice. */
  readonly hear?: Hear;
}

const TASK = "watch";

/** Periodically checks capacity and health: each minute, in one process. */
export class Watch {
  constructor(private readonly options: WatchOptions) {}

  readonly crontab = `* * * * * ${TASK}`;

  /** Tasks for the queue. */
  get tasks(): Readonly<Record<string, () => Promise<void>>> {
    return { [TASK]: () => this.look() };
  }

  /** A source that can't be read is logged and checked again a minute later. */
  async look(): Promise<void> {
    const { database, workspace, capacity, log, hear } = this.options;
    try {
      await watchCapacity(database, await capacity.read(), hear);
    } catch (error) {
      log.warn({ err: error }, "the capacity of provisioners could not be read");
    }
    try {
      await watchHealth(database, workspace, (name) => capacity.platform(name), hear);
    } catch (error) {
      log.warn({ err: error }, "the health of runtimes could not be read");
    }
  }
}

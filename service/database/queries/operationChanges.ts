import { NIL } from "uuid";
import type { Connection } from "../database";
import type { OperationRow, OperationState } from "../tables";

export interface ChangesFilter {
  /** The tenant; undefined for all tenants. */
  readonly tenant?: string;
  /** Stack of one deployment. */
  readonly stack?: string;
}

const ACTIVE: readonly OperationState[] = ["pending", "in_progress"];

const signatureOf = ({ state, stage, attempts, cancelRequestedAt }: OperationRow): string =>
  JSON.stringify([state, stage, attempts, cancelRequestedAt]);

/** Finds what changed among the operations of a tenant, from one look to the next. */
export class OperationChanges {
  /** What was found last of each operation that waits or runs. */
  private readonly active = new Map<string, string>();
  /** The newest operation of the last look: UUIDs of version 7 sort by time. */
  private newest?: string;

  constructor(
    private readonly database: Connection,
    private readonly filter: ChangesFilter,
  ) {}

  /** Returns the operations that changed since the last look, oldest first; at the first look those that wait or run. */
  async look(): Promise<OperationRow[]> {
    const newest = (this.newest ??= await this.newestId());
    const known = [...this.active.keys()];
    const rows = await this.matching()
      .selectAll()
      .where((eb) =>
        eb.or([
          eb("state", "in", [...ACTIVE]),
          eb("id", ">", newest),
          ...(known.length > 0 ? [eb("id", "in", known)] : []),
        ]),
      )
      .orderBy("id")
      .execute();
    const changed = rows.filter((row) => this.active.get(row.id) !== signatureOf(row));
    this.active.clear();
    for (const row of rows) if (ACTIVE.includes(row.state)) this.active.set(row.id, signatureOf(row));
    const last = rows.at(-1)?.id ?? newest;
    this.newest = last > newest ? last : newest;
    return changed;
  }

  private matching() {
    const { tenant, stack } = this.filter;
    return this.database
      .selectFrom("operation")
      .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
      .$if(stack !== undefined, (query) => query.where("deploymentId", "=", stack ?? ""));
  }

  private async newestId(): Promise<string> {
    const row = await this.matching().select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return row?.id ?? NIL;
  }
}

import { parseCheckpoint, type StackState } from "./checkpoint";
import { checkpointFile, decodeCheckpoint, ENDINGS } from "./encoding";
import type { Lock } from "../engineLock";
import { connectToState, content, dataOf, likePrefix, type StateRow, type StateTable } from "../../backend/stateTable";
import { emptyCheckpoint, parseLock, type StateStore } from "./stateStore";

interface Row extends StateRow {
  updated_at: Date;
}

/** Reads and writes states in PostgreSQL, one row per checkpoint. */
export class PostgresStore implements StateStore {
  readonly isDirect = true;

  private constructor(
    private readonly states: StateTable,
    private readonly table = states.table,
    private readonly folder = states.folder,
  ) {}

  static async open(url: string): Promise<PostgresStore> {
    return new PostgresStore(await connectToState(url));
  }

  async list(project: string): Promise<StackState[]> {
    const rows = await this.rows("key LIKE $1", likePrefix(`${this.folder}/stacks/${project}/`));
    const found = await Promise.all(rows.map(async (row) => read(row)));
    return found.filter((state) => state !== undefined).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async find(project: string, stack: string): Promise<StackState | undefined> {
    const [row] = await this.rows("key = ANY($1)", this.keys(project, stack));
    return row && (await read(row));
  }

  async exists(project: string, stack: string): Promise<boolean> {
    const found = await this.states.rows(`SELECT key FROM ${this.table} WHERE key = ANY($1)`, [
      this.keys(project, stack),
    ]);
    return found.length > 0;
  }

  async create(project: string, stack: string): Promise<boolean> {
    const [meta] = await this.rows("key = $1", `${this.folder}/meta.yaml`);
    // A new or an old backend: the CLI decides on its layout.
    if (!meta || !/^version:\s*1\s*$/m.test(content(meta).toString("utf8"))) return false;
    await this.states.query(`INSERT INTO ${this.table} (key, data) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`, [
      `${this.folder}/stacks/${project}/${stack}.json`,
      dataOf(emptyCheckpoint(project, stack)),
    ]);
    return true;
  }

  /**
   * One statement, so that it needs no lock of its own: a process that is killed leaves none behind, and one that was
   * stopped in between removes nothing that was written meanwhile.
   */
  async removeIf(project: string, stack: string, isAsAsked: (state: StackState) => boolean): Promise<boolean> {
    const [row] = await this.rows("key = ANY($1)", this.keys(project, stack));
    const state = row && (await read(row));
    if (!state || !isAsAsked(state)) return false;
    const removed = await this.states.rows(
      `WITH removed AS (
         DELETE FROM ${this.table} WHERE key = $1 AND data->>'data' = $2
         AND NOT EXISTS (SELECT FROM ${this.table} WHERE key LIKE $3) RETURNING data
       ), kept AS (
         INSERT INTO ${this.table} (key, data) SELECT $4, data FROM removed
         ON CONFLICT (key) DO UPDATE SET data = excluded.data, updated_at = now()
       ), history AS (
         DELETE FROM ${this.table} WHERE key LIKE $5 AND EXISTS (SELECT FROM removed)
       )
       SELECT FROM removed`,
      [
        row.key,
        row.data.data,
        likePrefix(this.lockFolder(project, stack)),
        `${row.key}.bak`,
        likePrefix(`${this.folder}/history/${project}/${stack}/`),
      ],
    );
    return removed.length > 0;
  }

  async locks(project: string, stack: string): Promise<Lock[]> {
    const folder = this.lockFolder(project, stack);
    const rows = await this.rows("key LIKE $1", likePrefix(folder));
    return rows.flatMap((row) => parseLock(content(row).toString("utf8"), row.key.slice(folder.length)));
  }

  close(): Promise<void> {
    return this.states.close();
  }

  private lockFolder(project: string, stack: string): string {
    return `${this.folder}/locks/organization/${project}/${stack}/`;
  }

  private keys(project: string, stack: string): string[] {
    return ENDINGS.map((ending) => `${this.folder}/stacks/${project}/${stack}${ending}`);
  }

  private rows(where: string, value: string | string[]): Promise<Row[]> {
    return this.states.rows(`SELECT key, data, updated_at FROM ${this.table} WHERE ${where}`, [value]);
  }
}

async function read(row: Row): Promise<StackState | undefined> {
  const file = checkpointFile(row.key.slice(row.key.lastIndexOf("/") + 1));
  return file && parseCheckpoint(file.stack, await decodeCheckpoint(file.ending, content(row)), row.updated_at);
}

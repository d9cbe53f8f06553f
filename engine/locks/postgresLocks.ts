import { Failure } from "../../foundation/errors";
import {
  connectToState,
  content,
  dataOf,
  isWithoutTable,
  likePrefix,
  type StateRow,
  type StateTable,
} from "../backend/stateTable";
import type { LockStore } from "./lockStore";

/** Keeps locks in the table of the states, where keys are unique. */
export class PostgresLocks implements LockStore {
  private constructor(private readonly states: StateTable) {}

  static async open(url: string): Promise<PostgresLocks> {
    return new PostgresLocks(await connectToState(url));
  }

  async create(name: string, text: string): Promise<boolean> {
    const { table } = this.states;
    try {
      const { rowCount } = await this.states.query(
        `INSERT INTO ${table} (key, data) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`,
        [this.key(name), dataOf(text)],
      );
      return rowCount === 1;
    } catch (error) {
      if (!isWithoutTable(error)) throw error;
      throw new Failure("the state database has no stack yet; expected the state that PULUMI_BACKEND_URL names");
    }
  }

  async read(name: string): Promise<string | undefined> {
    const [row] = await this.rows("key = $1", this.key(name));
    return row && content(row).toString("utf8");
  }

  async names(folder: string): Promise<string[]> {
    const rows = await this.rows("key LIKE $1", likePrefix(this.key(folder)));
    return rows.map(({ key }) => key.slice(this.key("").length));
  }

  async removeIf(name: string, text: string): Promise<boolean> {
    const { table } = this.states;
    const values = [this.key(name), Buffer.from(text).toString("base64")];
    const { rowCount } = await this.states.query(`DELETE FROM ${table} WHERE key = $1 AND data->>'data' = $2`, values);
    return rowCount === 1;
  }

  close(): Promise<void> {
    return this.states.close();
  }

  private key(name: string): string {
    return `${this.states.folder}/${name}`;
  }

  private rows(where: string, value: string): Promise<StateRow[]> {
    return this.states.rows(`SELECT key, data FROM ${this.states.table} WHERE ${where}`, [value]);
  }
}

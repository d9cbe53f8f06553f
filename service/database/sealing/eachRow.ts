import type { Pool } from "pg";

const BATCH = 200;

/** What is read of each row, in order of the ids. */
interface Rows {
  readonly table: "deployment" | "operation" | "audit";
  readonly columns: string;
  readonly idType: "text" | "uuid" | "bigint";
}

/** Reads rows in batches without opening sealed values. Returns how many `work` changed. */
export async function eachRow<Row>(
  pool: Pool,
  { table, columns, idType }: Rows,
  work: (row: Row & { readonly id: string }) => Promise<boolean>,
): Promise<number> {
  let changed = 0;
  for (let last: string | null = null; ;) {
    const { rows }: { rows: (Row & { readonly id: string })[] } = await pool.query(
      `select id, ${columns} from ${table} where $1::${idType} is null or id > $1 order by id limit ${BATCH}`,
      [last],
    );
    for (const row of rows) if (await work(row)) changed += 1;
    const end = rows.at(-1);
    if (end === undefined) return changed;
    last = end.id;
  }
}

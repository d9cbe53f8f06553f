import { createHash } from "node:crypto";
import type { Connection } from "../database";

/** The longest name that a stack of a runtime may have. */
const LONGEST = 100;
/** Nobody has the same id in so many tenants whose digests begin alike. */
const MOST_TRIES = 10;

/** How stacks of new deployments are named: by the id while no other tenant has it, or always by tenant and id. */
export type StackNaming = "id" | "tenant";

/**
 * Names for the stack of a new deployment, the best one first. Stacks of all tenants are in one project, so what another
 * tenant has is not refused, which would say that it is there: the stack gets another name.
 */
export function stackNames(tenant: string, id: string, naming: StackNaming = "id"): string[] {
  const own = Array.from({ length: MOST_TRIES }, (_, index) => {
    const digest = createHash("sha256")
      .update(JSON.stringify([tenant, id, index]))
      .digest("hex")
      .slice(0, 8);
    return `${id.slice(0, LONGEST - digest.length - 1)}-${digest}`;
  });
  return naming === "id" ? [id, ...own] : own;
}

/** Those of the names that no deployment had yet. */
export async function freeNames(connection: Connection, names: readonly string[]): Promise<string[]> {
  const rows = await connection
    .selectFrom("deployment")
    .select("id")
    .where("id", "in", [...names])
    .execute();
  const taken = new Set(rows.map(({ id }) => id));
  return names.filter((name) => !taken.has(name));
}

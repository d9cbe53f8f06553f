import { createHash } from "node:crypto";
import type { Connection } from "../database";

/** Maximum length of a runtime's stack name. */
const LONGEST = 100;
/** Number of candidates. Ten digests that all collide don't occur in practice. */
const MOST_TRIES = 10;

/**
 * How to name the stacks of new deployments: `id` uses the id unless another tenant has it, `tenant` always combines
 * tenant and id.
 */
export type StackNaming = "id" | "tenant";

/**
 * Candidate names for the stack of a new deployment, in order of preference. All tenants share one Pulumi project. If
 * another tenant uses a name, the stack gets the next one: an error would reveal that tenant's deployment.
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

/** Returns the names that no deployment has ever had. */
export async function freeNames(connection: Connection, names: readonly string[]): Promise<string[]> {
  const rows = await connection
    .selectFrom("deployment")
    .select("id")
    .where("id", "in", [...names])
    .execute();
  const taken = new Set(rows.map(({ id }) => id));
  return names.filter((name) => !taken.has(name));
}

import { validate } from "uuid";
import type { Connection } from "../database";
import type { OperationKind, OperationRow, OperationState, StageRow } from "../tables";
import { anyOf, pageOf, sizeOf, type Page, type PageArgs } from "./page";

export interface OperationFilter {
  readonly deployment?: string;
  readonly kind?: readonly OperationKind[];
  readonly state?: readonly OperationState[];
  readonly requestedBy?: string;
}

/** Operations, newest first. */
export async function page(
  database: Connection,
  { tenant, filter = {}, first, after }: PageArgs<OperationFilter>,
): Promise<Page<OperationRow>> {
  const size = sizeOf(first);
  const { deployment, kind, state, requestedBy } = filter;
  const matching = database
    .selectFrom("operation")
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .$if(deployment !== undefined, (query) =>
      query.where("deploymentId", "in", (from) =>
        from
          .selectFrom("deployment")
          .select("id")
          // Across all tenants, a deployment is identified by its stack.
          .where(tenant === undefined ? "id" : "name", "=", deployment ?? "")
          .$if(tenant !== undefined, (own) => own.where("tenant", "=", tenant ?? "")),
      ),
    )
    .$if(kind !== undefined, (query) => query.where("kind", "=", anyOf(kind ?? [])))
    .$if(state !== undefined, (query) => query.where("state", "=", anyOf(state ?? [])))
    .$if(requestedBy !== undefined, (query) => query.where("requestedBy", "=", requestedBy ?? ""));
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      // Ids are UUIDs of version 7, which sort by time of the request. An invalid cursor matches nothing.
      .$if(after !== undefined, (query) => query.where("id", "<", validate(after) ? (after ?? "") : NOTHING))
      .orderBy("id", "desc")
      .limit(size + 1)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows, { size, total: Number(total), cursor: (row) => row.id });
}

const NOTHING = "00000000-0000-0000-0000-000000000000";

/** Returns one operation; undefined if the tenant has none with this id. */
export async function byId(
  database: Connection,
  tenant: string | undefined,
  id: string,
): Promise<OperationRow | undefined> {
  if (!validate(id)) return undefined;
  return database
    .selectFrom("operation")
    .selectAll()
    .where("id", "=", id)
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .executeTakeFirst();
}

/** The newest operation of each deployment. */
export function newestOf(database: Connection, deployments: readonly string[]): Promise<OperationRow[]> {
  if (deployments.length === 0) return Promise.resolve([]);
  return database
    .selectFrom("operation")
    .selectAll()
    .distinctOn("deploymentId")
    .where("deploymentId", "in", [...deployments])
    .orderBy("deploymentId")
    .orderBy("id", "desc")
    .execute();
}

/** Stages of operations, in their order. */
export function stagesOf(database: Connection, operations: readonly string[]): Promise<StageRow[]> {
  if (operations.length === 0) return Promise.resolve([]);
  return database
    .selectFrom("stage")
    .selectAll()
    .where("operationId", "in", [...operations])
    .orderBy("operationId")
    .orderBy("number")
    .execute();
}

import { sql } from "kysely";
import { validate } from "uuid";
import type { Connection } from "../database";
import type { OperationKind } from "../../kinds/kinds";
import type { OperationRow, OperationState, StageRow } from "../tables";
import { anyOf, NEWEST_FIRST, pageOf, readPage, sizeOf, within } from "./page";
import type { Page, PageArgs, TimeRange } from "./page";

export interface OperationFilter {
  readonly deployment?: string;
  readonly kind?: readonly OperationKind[];
  readonly state?: readonly OperationState[];
  readonly requestedBy?: string;
  readonly requestedAt?: TimeRange;
  readonly endedAt?: TimeRange;
}

/** Operations, newest first. Their ids are UUIDs of version 7, which sort by time of the request. */
export function operationPage(
  database: Connection,
  { tenant, filter = {}, ...place }: PageArgs<OperationFilter>,
): Promise<Page<OperationRow>> {
  const { deployment, kind, state, requestedBy, requestedAt, endedAt } = filter;
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
    .$if(requestedBy !== undefined, (query) => query.where("requestedBy", "=", requestedBy ?? ""))
    .$if(requestedAt !== undefined, (query) => query.where(within("requestedAt", requestedAt ?? {})))
    .$if(endedAt !== undefined, (query) => query.where(within("endedAt", endedAt ?? {})));
  return readPage(matching, NEWEST_FIRST, place);
}

/** Returns one operation; undefined if the tenant has none with this id. Those of an earlier system have its id too. */
export async function byId(
  database: Connection,
  tenant: string | undefined,
  id: string,
): Promise<OperationRow | undefined> {
  if (!validate(id)) return undefined;
  return database
    .selectFrom("operation")
    .selectAll()
    .where((where) => where.or([where("id", "=", id), where(sql`past ->> 'id'`, "=", id.toLowerCase())]))
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .executeTakeFirst();
}

/** The first page of operations of each deployment, newest first, as its own tenant sees them. */
export async function pagesOf(
  database: Connection,
  deployments: readonly string[],
  first: number | undefined,
): Promise<ReadonlyMap<string, Page<OperationRow>>> {
  if (deployments.length === 0) return new Map();
  const size = sizeOf({ first });
  const { rows: found } = await sql<{ id: string }>`
    select operation.id from deployment
    cross join lateral (
      select id from operation
      where deployment_id = deployment.id and tenant = deployment.tenant
      order by id desc limit ${size + 1}
    ) operation
    where deployment.id = any(${[...deployments]}::text[])`.execute(database);
  const ids = found.map(({ id }) => id);
  const [rows, totals] = await Promise.all([
    ids.length === 0
      ? []
      : database.selectFrom("operation").selectAll().where("id", "in", ids).orderBy("id", "desc").execute(),
    database
      .selectFrom("operation")
      .innerJoin("deployment", "deployment.id", "operation.deploymentId")
      .whereRef("operation.tenant", "=", "deployment.tenant")
      .where("deployment.id", "in", [...deployments])
      .select(["deployment.id", ({ fn }) => fn.countAll<string>().as("total")])
      .groupBy("deployment.id")
      .execute(),
  ]);
  const rowsOf = Map.groupBy(rows, ({ deploymentId }) => deploymentId);
  const totalOf = new Map(totals.map(({ id, total }) => [id, Number(total)]));
  const page = (id: string): Page<OperationRow> =>
    pageOf(rowsOf.get(id) ?? [], { first }, { total: totalOf.get(id) ?? 0, cursorOf: NEWEST_FIRST.cursorOf });
  return new Map(deployments.map((id) => [id, page(id)]));
}

/** The newest operation of each deployment that was not replaced. */
export function newestOf(database: Connection, deployments: readonly string[]): Promise<OperationRow[]> {
  if (deployments.length === 0) return Promise.resolve([]);
  return database
    .selectFrom("operation")
    .selectAll()
    .distinctOn("deploymentId")
    .where("deploymentId", "in", [...deployments])
    .where("state", "!=", "replaced")
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

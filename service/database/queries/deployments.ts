import { sql, type Transaction, type Updateable } from "kysely";
import type { Connection } from "../database";
import type { DeploymentRow, DeploymentTable, DesiredState, OperationState, Tables } from "../tables";
import type { HealthState } from "../watchTables";
import { anyOf, literal, readPage, within, type Order, type Page, type PageArgs, type TimeRange } from "./page";

/** Whether no operation of a deployment is pending or in progress, where its table is joined as `deployment`. */
export const IS_AT_REST = sql<boolean>`not exists (
  select from operation where deployment_id = deployment.id and state in ('pending', 'in_progress')
)`;

export interface DeploymentFilter {
  /** Part of the id. */
  readonly id?: string;
  readonly provisioner?: string;
  readonly desiredState?: readonly DesiredState[];
  readonly environment?: string;
  /** Include deprovisioned deployments. Default: false. */
  readonly deleted?: boolean;
  readonly health?: readonly HealthState[];
  /** Whether the last comparison with the cluster found changes. */
  readonly drifted?: boolean;
  /** State of the last operation that was not replaced. */
  readonly lastOperation?: readonly OperationState[];
  readonly version?: string;
  /** Each of these keys has this value. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly createdAt?: TimeRange;
  readonly updatedAt?: TimeRange;
  /** Only deployments that have a runtime now. */
  readonly withRuntime?: boolean;
}

/** Tenants may use the same id, and several deployments may have one time, so each cursor ends with the stack. */
function byTime(column: "createdAt" | "updatedAt"): Order<DeploymentRow> {
  return {
    // A cursor has milliseconds, the database microseconds.
    keys: [sql`date_trunc('milliseconds', ${sql.ref(column)})`, sql.ref("id")],
    cursorOf: (row) => `${row[column].toISOString()}/${row.id}`,
    valuesOf: (cursor) => halves(cursor),
  };
}

const halves = (cursor: string): [string, string] => {
  const [one = "", other = one] = cursor.split("/");
  return [one, other];
};

const ORDERS = {
  id: {
    keys: [sql.ref("name"), sql.ref("id")],
    cursorOf: (row) => (row.name === row.id ? row.id : `${row.name}/${row.id}`),
    valuesOf: halves,
  },
  createdAt: byTime("createdAt"),
  updatedAt: byTime("updatedAt"),
} satisfies Record<string, Order<DeploymentRow>>;

export interface DeploymentPageArgs extends PageArgs<DeploymentFilter> {
  /** Default: id. */
  readonly orderBy?: keyof typeof ORDERS;
}

export function deploymentPage(
  database: Connection,
  { tenant, filter = {}, orderBy = "id", ...place }: DeploymentPageArgs,
): Promise<Page<DeploymentRow>> {
  const { id, provisioner, desiredState, environment, deleted, withRuntime, health, drifted } = filter;
  const { lastOperation, version, annotations, createdAt, updatedAt } = filter;
  const matching = database
    .selectFrom("deployment")
    .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""))
    .$if(deleted !== true, (query) => query.where("deletedAt", "is", null))
    .$if(withRuntime === true, (query) => query.where(sql<boolean>`outputs <> '{}'`))
    .$if(id !== undefined, (query) => query.where("name", "like", `%${literal(id ?? "")}%`))
    .$if(provisioner !== undefined, (query) => query.where("provisioner", "=", provisioner ?? ""))
    .$if(desiredState !== undefined, (query) => query.where("desiredState", "=", anyOf(desiredState ?? [])))
    .$if(health !== undefined, (query) =>
      query.where(
        sql<string>`coalesce((select state from health where deployment_id = deployment.id), 'unknown')`,
        "=",
        anyOf(health ?? []),
      ),
    )
    .$if(drifted !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (select from drift where deployment_id = deployment.id and changes is not null)`,
        "=",
        drifted ?? false,
      ),
    )
    .$if(lastOperation !== undefined, (query) =>
      query.where(
        sql<string>`(select state from operation where deployment_id = deployment.id and state <> 'replaced' order by id desc limit 1)`,
        "=",
        anyOf(lastOperation ?? []),
      ),
    )
    .$if(environment !== undefined, (query) =>
      query.where(sql<string>`coalesce(desired_config #>> '{deployment,environment}', 'prod')`, "=", environment ?? ""),
    )
    .$if(version !== undefined, (query) =>
      query.where(sql<string>`desired_config #>> '{deployment,version}'`, "=", version ?? ""),
    )
    .$if(annotations !== undefined, (query) =>
      query.where(sql<boolean>`desired_config #> '{deployment,annotations}' @> ${JSON.stringify(annotations)}::jsonb`),
    )
    .$if(createdAt !== undefined, (query) => query.where(within("createdAt", createdAt ?? {})))
    .$if(updatedAt !== undefined, (query) => query.where(within("updatedAt", updatedAt ?? {})));
  return readPage(matching, ORDERS[orderBy], place);
}

/**
 * Returns one deployment, even if deprovisioned; undefined if the tenant has none with this id. Without a tenant, `id`
 * is the stack.
 */
export function byId(database: Connection, tenant: string | undefined, id: string): Promise<DeploymentRow | undefined> {
  const rows = database.selectFrom("deployment").selectAll();
  if (tenant === undefined) return rows.where("id", "=", id).executeTakeFirst();
  return rows.where("tenant", "=", tenant).where("name", "=", id).executeTakeFirst();
}

/** Like {@link byId}, but locks the deployment until the transaction ends. */
export const lockedById = (
  transaction: Transaction<Tables>,
  tenant: string,
  id: string,
): Promise<DeploymentRow | undefined> =>
  transaction
    .selectFrom("deployment")
    .selectAll()
    .where("tenant", "=", tenant)
    .where("name", "=", id)
    .forUpdate()
    .executeTakeFirst();

/** Changes a deployment, which gets its next revision. */
export const revise = (
  transaction: Transaction<Tables>,
  { id, revision }: Pick<DeploymentRow, "id" | "revision">,
  change: Updateable<DeploymentTable>,
): Promise<DeploymentRow> =>
  transaction
    .updateTable("deployment")
    .set({ ...change, revision: revision + 1, updatedAt: new Date() })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns deployments of any tenant by stack, even if deprovisioned. The caller must have checked the tenant. */
export function byIds(database: Connection, ids: readonly string[]): Promise<DeploymentRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database
    .selectFrom("deployment")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
}

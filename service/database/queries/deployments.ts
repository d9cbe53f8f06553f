import { sql } from "kysely";
import type { Connection } from "../database";
import type { DeploymentRow, DesiredState } from "../tables";
import type { HealthState } from "../watchTables";
import { anyOf, literal, pageOf, sizeOf, type Page, type PageArgs } from "./page";

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
  /** Only deployments that have a runtime now. */
  readonly withRuntime?: boolean;
}

/** Deployments ordered by id. */
export async function page(
  database: Connection,
  { tenant, filter = {}, first, after }: PageArgs<DeploymentFilter>,
): Promise<Page<DeploymentRow>> {
  const size = sizeOf(first);
  const { id, provisioner, desiredState, environment, deleted, withRuntime, health, drifted } = filter;
  // Tenants may use the same id.
  const [name = "", stack = name] = after?.split("/") ?? [];
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
    .$if(environment !== undefined, (query) =>
      query.where(sql<string>`coalesce(desired_config #>> '{deployment,environment}', 'prod')`, "=", environment ?? ""),
    );
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .$if(after !== undefined, (query) => query.where(sql<boolean>`(name, id) > (${name}, ${stack})`))
      .orderBy("name")
      .orderBy("id")
      .limit(size + 1)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return pageOf(rows, {
    size,
    total: Number(total),
    cursor: (row) => (row.name === row.id ? row.id : `${row.name}/${row.id}`),
  });
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

/** Returns deployments of any tenant by stack, even if deprovisioned. The caller must have checked the tenant. */
export function byIds(database: Connection, ids: readonly string[]): Promise<DeploymentRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database
    .selectFrom("deployment")
    .selectAll()
    .where("id", "in", [...ids])
    .execute();
}

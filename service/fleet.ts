import { validate } from "uuid";
import type { Fleet } from "./api/backend";
import type { Database } from "./database/database";
import { bundlePage } from "./database/queries/bundles";
import type { Disks } from "./disks/disks";
import type { Orphans } from "./orphans/orphans";
import type { Rollouts } from "./rollouts/rollouts";

export interface FleetParts {
  readonly database: Database;
  readonly rollouts: Rollouts;
  readonly orphans: () => Pick<Orphans, "find" | "adopt" | "forget">;
  readonly disks: Pick<Disks, "page" | "delete">;
}

/** Implements the API's requests about many deployments. */
export function fleetOf({ database, rollouts, orphans, disks }: FleetParts): Fleet {
  // Hides rollouts of all tenants from a single tenant.
  const own = (tenant: string | undefined) =>
    database
      .selectFrom("rollout")
      .selectAll()
      .$if(tenant !== undefined, (query) => query.where("tenant", "=", tenant ?? ""));
  return {
    refresh: (asked, caller, everybody) => rollouts.request(asked, caller, everybody),
    cancel: (id, caller, key) => rollouts.cancel(id, caller, key),
    rollouts: (tenant, first) => own(tenant).orderBy("id", "desc").limit(first).execute(),
    rollout: async (tenant, id) => (validate(id) ? own(tenant).where("id", "=", id).executeTakeFirst() : undefined),
    items: (id) => rollouts.items(id),
    drift: async (ids) =>
      ids.length === 0
        ? []
        : database
            .selectFrom("drift")
            .selectAll()
            .where("deploymentId", "in", [...ids])
            .execute(),
    bundles: (args) => bundlePage(database, args),
    keptDisks: (args) => disks.page(args),
    deleteKeptDisks: (names, caller, tenant, more) => disks.delete(names, caller, tenant, more),
    orphans: () => orphans().find(),
    adopt: (id, caller, more) => orphans().adopt(id, caller, more),
    forget: (id, caller, key) => orphans().forget(id, caller, key),
  };
}

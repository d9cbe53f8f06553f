import { readContents } from "../engine/runtime/contents";
import { RUNTIME_PROJECT } from "../engine/stack/names";
import { withStore } from "../engine/pulumi/state/store";
import { Failure } from "../foundation/errors";
import type { Workspace } from "../foundation/pulumi/backend";
import type { Backend, Changes, Fleet } from "./api/backend";
import type { Database } from "./database/database";
import type { Listener } from "./database/listener";
import * as audit from "./database/queries/audit";
import { byClusterName } from "./database/queries/clusterNames";
import * as deployments from "./database/queries/deployments";
import { lifetimesOf, type JudgedLifetime } from "./database/queries/lifetimes";
import * as operations from "./database/queries/operations";
import { situationOf, viewOf, type LifetimeSettings } from "./lifetimes/rules";
import { platformSoon, type PlatformPlace } from "./platform/soon";
import { noticePage } from "./watch/notices";
import { audit as noteAudit } from "./operations/audit";

export interface BackendParts {
  readonly database: Database;
  readonly listener: Listener;
  readonly changes: Changes;
  readonly fleet: Fleet;
  readonly provisioners: Backend["reads"]["provisioners"];
  readonly lifetimes: Pick<LifetimeSettings, "warningMs">;
  readonly platforms: PlatformPlace;
  /** That of the runtimes. */
  readonly workspace: Workspace;
}

/** Builds the API's backend from the database and the operations. */
export function backendOf(parts: BackendParts): Backend {
  const { database, listener, changes, fleet, provisioners, lifetimes, platforms, workspace } = parts;
  return {
    changes,
    fleet,
    refused: ({ tenant, actor, role, address }, action, target) =>
      noteAudit(database, { tenant, actor, role, address }, { action, target }, "FORBIDDEN"),
    granted: (caller, audited) => noteAudit(database, caller, audited, "accepted"),
    reads: {
      deployment: (tenant, id) => deployments.byId(database, tenant, id),
      deploymentOfCluster: (cluster) => byClusterName(database, cluster),
      deployments: (args) => deployments.deploymentPage(database, args),
      deploymentsById: (ids) => deployments.byIds(database, ids),
      operation: (tenant, id) => operations.byId(database, tenant, id),
      operations: (args) => operations.operationPage(database, args),
      operationsOf: (ids, first) => operations.pagesOf(database, ids, first),
      newest: (ids) => operations.newestOf(database, ids),
      stages: (ids) => operations.stagesOf(database, ids),
      events: (operation, after, signal) => listener.follow(operation, after, signal),
      changedOperations: (filter, signal) => listener.changes(filter, signal),
      audit: (args) => audit.auditPage(database, args),
      health: async (ids) =>
        ids.length === 0
          ? []
          : database
              .selectFrom("health")
              .selectAll()
              .where("deploymentId", "in", [...ids])
              .execute(),
      lifetimes: async (ids) => {
        const rows = await lifetimesOf(database, ids);
        const viewed = (row: JudgedLifetime) => viewOf(row, row, situationOf(row, new Date(), lifetimes.warningMs));
        return new Map(rows.map((row) => [row.deploymentId, viewed(row)]));
      },
      revisions: async (name) => {
        const found = await platformSoon(platforms, name);
        return found instanceof Failure ? undefined : found;
      },
      contents: async (name) => {
        const stack = await withStore(workspace, (store) => store.find(RUNTIME_PROJECT, name));
        return stack && readContents(stack, workspace);
      },
      notices: (args) => noticePage(database, args),
      provisioners,
    },
  };
}

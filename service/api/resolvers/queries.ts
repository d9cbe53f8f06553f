import type { Page } from "../../database/queries/page";
import { levelOf, levelText } from "../../capacity/level";
import { authorizeGlobally, callerOfOne } from "../auth/caller";
import { ApiError } from "../errors";
import { runtimeOf } from "../rows";
import type { QueryDeploymentsArgs, QueryRuntimesArgs } from "../schema.types";
import { CURSORS, pageArgs, platformOf } from "./arguments";
import { guardedFields, tenantOf } from "../rights/guard";
import { nodeOf } from "./node";
import type { CallerOfAny } from "../auth/identity";
import type { ProvisionerCapacity } from "../backend";

/** Removes host details: the capacity stays, the load of each host goes. Full warnings name the emptiest host. */
function withoutHosts(each: ProvisionerCapacity): ProvisionerCapacity {
  const level = levelOf(each.hosts);
  return { ...each, hosts: [], warnings: level > 0 ? [levelText(level)] : [] };
}

/** Converts a page to a GraphQL connection. */
export const connection = <Row>({ nodes, cursors, totalCount, ...more }: Page<Row>) => ({
  edges: nodes.map((node, at) => ({ node, cursor: cursors[at] ?? "" })),
  nodes,
  pageInfo: { ...more, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null },
  totalCount,
});

/** Arguments of the lists of deployments and of their runtimes. */
function deploymentArgs(args: QueryDeploymentsArgs | QueryRuntimesArgs, caller: CallerOfAny) {
  const { orderBy } = args;
  const isCursor = orderBy === "id" ? CURSORS.deployments : CURSORS.times;
  return { ...pageArgs(args, isCursor), orderBy, tenant: tenantOf(caller) };
}

export const queries = guardedFields({
  deployment: ({ id }, caller, { backend }) => backend.reads.deployment(tenantOf(caller), id),

  deployments: async (args, caller, { backend }) =>
    connection(await backend.reads.deployments(deploymentArgs(args, caller))),

  runtimes: async (args, caller, { backend }) => {
    const { filter, ...rest } = deploymentArgs(args, caller);
    const wanted = { ...filter, deleted: false, withRuntime: true };
    const page = await backend.reads.deployments({ ...rest, filter: wanted });
    // The filter leaves only deployments with a runtime.
    return connection({ ...page, nodes: page.nodes.flatMap((row) => runtimeOf(row) ?? []) });
  },

  operation: ({ id }, caller, { backend }) => backend.reads.operation(tenantOf(caller), id),

  operations: async (args, caller, { backend }) =>
    connection(await backend.reads.operations({ ...pageArgs(args, CURSORS.operations), tenant: tenantOf(caller) })),

  provisioners: async ({ platform }, caller, { backend }) => {
    const all = await backend.reads.provisioners();
    // Only platforms in use are accepted, so that callers can't make the engine look up arbitrary stacks.
    const wanted = platform ? platformOf(platform) : undefined;
    const set = wanted === undefined ? all : all.filter((each) => each.platform === wanted);
    if (set.length === 0 && wanted !== undefined) {
      throw new ApiError({
        code: "NOT_FOUND",
        path: "platform",
        reason: "no deployment is on a platform of this name",
      });
    }
    // Tenants share hosts, so a single tenant sees the free capacity without the hosts.
    return caller.allTenants ? set : set.map(withoutHosts);
  },

  plan: async ({ id }, caller, { backend }) => {
    const row = await backend.reads.deployment(tenantOf(caller), id);
    if (!row || row.deletedAt !== null) {
      throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no deployment of this id" });
    }
    const asked = { deployment: row.name, kind: "update" as const, change: { deployment: {} } };
    return backend.changes.plan(asked, { ...callerOfOne({ ...caller, allTenants: false }), tenant: row.tenant });
  },

  audit: async (args, caller, { backend }) =>
    connection(await backend.reads.audit({ ...pageArgs(args, CURSORS.numbered), tenant: tenantOf(caller) })),

  notices: async (args, caller, { backend }) =>
    connection(await backend.reads.notices({ ...pageArgs(args, CURSORS.numbered), tenant: tenantOf(caller) })),

  rollout: ({ id }, caller, { backend }) => backend.fleet.rollout(tenantOf(caller), id),

  rollouts: (args, caller, { backend }) =>
    backend.fleet.rollouts(tenantOf(caller), pageArgs(args, CURSORS.numbered).first ?? 20),

  keptDisks: async (args, caller, { backend }) => {
    const asked = { ...pageArgs(args, CURSORS.disks), tenant: tenantOf(caller) };
    const { totalGib, unseen, ...page } = await backend.fleet.keptDisks(asked);
    return { ...connection(page), totalGib, unseen };
  },

  bundles: async (args, caller, { backend }) => {
    authorizeGlobally(caller);
    return connection(await backend.fleet.bundles(pageArgs(args, CURSORS.bundles)));
  },

  orphans: async (_args, caller, { backend }) => {
    authorizeGlobally(caller);
    const { orphans, unseen } = await backend.fleet.orphans();
    return { nodes: orphans, unseen };
  },

  node: ({ id }, caller, context) => nodeOf(id, tenantOf(caller), context),

  me: (_args, { actor, tenant, role, allTenants }) => ({ actor, tenant, role, allTenants }),
});

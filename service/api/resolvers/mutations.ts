import type { DeploymentRow, OperationRow } from "../../database/tables";
import type { OperationKind } from "../../kinds/kinds";
import type { RuntimeChange } from "../../../engine/stack/change";
import { callerOfOne, authorizeGlobally } from "../auth/caller";
import type { OperationInput, Caller } from "../../operations/input";
import type { Plan } from "../backend";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import { changeOf, given, limitsOf, platformOf } from "./arguments";
import { guardedFields, tenantOf, type Fields } from "../rights/guard";

/** Mutations about many deployments, kept disks and orphans. */
const fleetMutations: Fields = {
  refreshPlatform: (args, caller, { backend }) => {
    const asked = { ...given(args), platform: platformOf(args.platform) };
    return backend.fleet.refresh(asked, caller, caller.allTenants);
  },

  cancelRollout: async (args, caller, { backend }) => {
    const row = await backend.fleet.rollout(tenantOf(caller), args.id);
    if (!row) throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no rollout of this id" });
    return backend.fleet.cancel(row.id, caller, given(args).idempotencyKey);
  },

  deleteKeptDisks: async (args, caller, { backend }) => {
    const tenant = tenantOf(caller);
    if (tenant === undefined) authorizeGlobally(caller);
    const { names, ...more } = args;
    const disks = await backend.fleet.deleteKeptDisks(names, caller, tenant, given(more));
    return { disks, totalGib: disks.reduce((sum, { gib }) => sum + gib, 0) };
  },

  adoptDeployment: (args, caller, { backend }) => {
    authorizeGlobally(caller);
    const { id, ...more } = args;
    return backend.fleet.adopt(id, callerOfOne(caller), given(more));
  },

  forgetDeployment: (args, caller, { backend }) => {
    authorizeGlobally(caller);
    return backend.fleet.forget(args.id, callerOfOne(caller), given(args).idempotencyKey);
  },
};

interface Payload {
  readonly deployment?: DeploymentRow;
  readonly operation?: OperationRow;
  readonly plan?: Plan;
}

interface Common {
  readonly id: string;
  readonly revision?: number | null;
  readonly idempotencyKey?: string | null;
  readonly dryRun?: boolean;
}

/** Requests a change, or its plan with `dryRun`. */
async function ask(
  args: Common,
  kind: OperationKind,
  change: RuntimeChange | undefined,
  caller: Caller,
  context: ApiContext,
  more: Pick<OperationInput, "lifetime"> = {},
): Promise<Payload> {
  const { backend } = context;
  const { revision, idempotencyKey } = given(args);
  const asked: OperationInput = { deployment: args.id, kind, ...given({ change, revision, idempotencyKey }), ...more };
  if (args.dryRun === true) return { plan: await backend.changes.plan(asked, caller) };
  return payload(await backend.changes.request(asked, caller), context);
}

async function payload(operation: OperationRow, { backend, log }: ApiContext): Promise<Payload> {
  const { id, kind, deploymentId } = operation;
  log.info({ operation: id, deployment: deploymentId, kind }, "accepted");
  const [row] = await backend.reads.deploymentsById([deploymentId]);
  return { operation, deployment: row?.tenant === operation.tenant ? row : undefined };
}

const state = (to: "running" | "hibernated"): RuntimeChange => ({ deployment: { state: to } });

async function deploymentOf(id: string, caller: Caller, { backend }: ApiContext): Promise<DeploymentRow> {
  const row = await backend.reads.deployment(caller.tenant, id);
  if (row && row.deletedAt === null) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no deployment of this id" });
}

async function operationOf(id: string, caller: Caller, { backend }: ApiContext): Promise<OperationRow> {
  const row = await backend.reads.operation(caller.tenant, id);
  if (row) return row;
  throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no operation of this id" });
}

function expectState(operation: OperationRow, states: readonly OperationRow["state"][]): void {
  if (states.includes(operation.state)) return;
  const reason = `the operation is ${operation.state}; expected one that is ${states.join(" or ")}`;
  throw new ApiError({ code: "CONFLICT", path: "id", reason });
}

const protecting =
  (isProtected: boolean): Fields["protectDeployment"] =>
  async (args, caller, context) => {
    const one = callerOfOne(caller);
    const { revision, idempotencyKey, dryRun } = given(args);
    const more = given({ revision, idempotencyKey, dryRun });
    return { deployment: await context.backend.changes.protect(args.id, isProtected, one, more) };
  };

export const mutations = guardedFields(
  {
    provisionDeployment: (args, caller, context) => {
      const platform = platformOf(args.platform ?? context.defaultPlatform);
      const change = { deployment: changeOf(args.deployment), platform, ...given({ disk: args.disk }) };
      const { lifetime } = args;
      const more = lifetime === undefined ? {} : { lifetime: lifetime && limitsOf(lifetime) };
      return ask(args, "provision", change, callerOfOne(caller), context, more);
    },

    updateDeployment: (args, caller, context) =>
      ask(args, "update", { deployment: changeOf(args.deployment) }, callerOfOne(caller), context),

    hibernateDeployment: (args, caller, context) =>
      ask(args, "hibernate", state("hibernated"), callerOfOne(caller), context),

    wakeDeployment: (args, caller, context) => ask(args, "wake", state("running"), callerOfOne(caller), context),

    moveDeployment: async (args, caller, context) => {
      const one = callerOfOne(caller);
      const { provisioner } = given(args);
      const move = provisioner ?? (await deploymentOf(args.id, one, context)).provisioner;
      if (move === null) {
        const reason = "found nothing; expected a provisioner, because this runtime is not on any yet";
        throw new ApiError({ code: "BAD_INPUT", path: "provisioner", reason });
      }
      return ask(args, "move", { deployment: given({ provisioner }), move }, one, context);
    },

    deprovisionDeployment: (args, caller, context) => ask(args, "deprovision", undefined, callerOfOne(caller), context),

    retryOperation: async (args, caller, context) => {
      const one = callerOfOne(caller);
      if (args.dryRun === true) {
        const operation = await operationOf(args.id, one, context);
        expectState(operation, ["failed", "canceled"]);
        const { deploymentId, kind, change } = operation;
        const deployment = (await context.loaders.deployment.load(deploymentId))?.name ?? deploymentId;
        return { operation, plan: await context.backend.changes.plan({ deployment, kind, change }, one) };
      }
      const { idempotencyKey } = given(args);
      return payload(await context.backend.changes.retry(args.id, one, idempotencyKey), context);
    },

    cancelOperation: async (args, caller, context) => {
      const one = callerOfOne(caller);
      if (args.dryRun === true) {
        const operation = await operationOf(args.id, one, context);
        expectState(operation, ["pending", "in_progress"]);
        return { operation };
      }
      const { idempotencyKey } = given(args);
      return payload(await context.backend.changes.cancel(args.id, one, idempotencyKey), context);
    },

    setDeploymentLifetime: async (args, caller, { backend: { changes } }) => {
      const one = callerOfOne(caller);
      const { revision, idempotencyKey, dryRun } = given(args);
      const more = given({ revision, idempotencyKey });
      const change = limitsOf(args.lifetime);
      if (dryRun === true) return { plan: await changes.planLifetime(args.id, change, one, more) };
      return { deployment: await changes.setLifetime(args.id, change, one, more) };
    },

    touchDeployment: (args, caller, { backend }) =>
      backend.changes.touch(args.id, callerOfOne(caller), given(args).idempotencyKey),

    ...fleetMutations,
    protectDeployment: protecting(true),
    unprotectDeployment: protecting(false),
  },
  true,
);

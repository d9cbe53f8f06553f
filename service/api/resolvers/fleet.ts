import type { DeploymentRow, RolloutRow } from "../../database/tables";
import { authorizeGlobally, callerOfOne } from "../auth/caller";
import type { CallerOfAny } from "../auth/identity";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type {
  MutationAdoptDeploymentArgs,
  MutationCancelRolloutArgs,
  MutationDeleteKeptDisksArgs,
  MutationForgetDeploymentArgs,
  MutationRefreshPlatformArgs,
} from "../schema.types";
import { given, platformOf } from "./arguments";
import { tenantOf } from "../rights/guard";

/** Mutations about many deployments, kept disks and orphans. */
export const fleetMutations = {
  refreshPlatform: (
    args: MutationRefreshPlatformArgs,
    caller: CallerOfAny,
    { backend }: ApiContext,
  ): Promise<RolloutRow> => {
    const asked = { ...given(args), platform: platformOf(args.platform) };
    return backend.fleet.refresh(asked, caller, caller.allTenants);
  },

  cancelRollout: async (
    args: MutationCancelRolloutArgs,
    caller: CallerOfAny,
    { backend }: ApiContext,
  ): Promise<RolloutRow> => {
    const row = await backend.fleet.rollout(tenantOf(caller), args.id);
    if (!row) throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no rollout of this id" });
    return backend.fleet.cancel(row.id, caller, given(args).idempotencyKey);
  },

  deleteKeptDisks: async (args: MutationDeleteKeptDisksArgs, caller: CallerOfAny, { backend }: ApiContext) => {
    const tenant = tenantOf(caller);
    if (tenant === undefined) authorizeGlobally(caller);
    const { names, ...more } = args;
    const disks = await backend.fleet.deleteKeptDisks(names, caller, tenant, given(more));
    return { disks, totalGib: disks.reduce((sum, { gib }) => sum + gib, 0) };
  },

  adoptDeployment: (
    args: MutationAdoptDeploymentArgs,
    caller: CallerOfAny,
    { backend }: ApiContext,
  ): Promise<DeploymentRow> => {
    authorizeGlobally(caller);
    return backend.fleet.adopt(args.id, callerOfOne(caller), given(args).idempotencyKey);
  },

  forgetDeployment: (
    args: MutationForgetDeploymentArgs,
    caller: CallerOfAny,
    { backend }: ApiContext,
  ): Promise<DeploymentRow> => {
    authorizeGlobally(caller);
    return backend.fleet.forget(args.id, callerOfOne(caller), given(args).idempotencyKey);
  },
};

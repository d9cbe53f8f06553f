import type { Caller } from "../../operations/input";
import type { ApiContext } from "../context";
import type {
  QueryProvisionRuntimePlanArgs,
  QueryRuntimeOperationStatusArgs,
  QueryRuntimeStatusArgs,
  QueryUpgradeShootPlanArgs,
} from "../schema.types";
import { provisioning, shootUpgrade } from "./asked";
import { guardedFields, operationOf, runtimeOf } from "./guard";

export const queries = guardedFields({
  runtimeStatus: ({ id }: QueryRuntimeStatusArgs, caller: Caller, context: ApiContext) =>
    runtimeOf(id, caller, context),

  runtimeOperationStatus: ({ id }: QueryRuntimeOperationStatusArgs, caller: Caller, context: ApiContext) =>
    operationOf(id, caller, context),

  provisionRuntimePlan: async ({ config }: QueryProvisionRuntimePlanArgs, caller: Caller, context: ApiContext) =>
    context.backend.changes.plan(await provisioning(config, caller, context), caller),

  upgradeShootPlan: async ({ id, config }: QueryUpgradeShootPlanArgs, caller: Caller, context: ApiContext) =>
    context.backend.changes.plan(shootUpgrade(await runtimeOf(id, caller, context), config), caller),
});

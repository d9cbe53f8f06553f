import { provisioning, shootUpgrade } from "./asked";
import { guardedFields, operationOf, runtimeOf } from "./guard";

export const queries = guardedFields({
  runtimeStatus: ({ id }, caller, context) => runtimeOf(id, caller, context),

  runtimeOperationStatus: ({ id }, caller, context) => operationOf(id, caller, context),

  provisionRuntimePlan: async ({ config }, caller, context) =>
    context.backend.changes.plan(await provisioning(config, caller, context), caller),

  upgradeShootPlan: async ({ id, config }, caller, context) =>
    context.backend.changes.plan(shootUpgrade(await runtimeOf(id, caller, context), config), caller),
});

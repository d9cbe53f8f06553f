import type { EventRow, OperationRow } from "../../database/tables";
import type { CallerOfAny } from "../auth/identity";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { SubscriptionOperationChangesArgs, SubscriptionOperationEventsArgs } from "../schema.types";
import { CURSORS, expectCursor } from "./arguments";
import { guarded, tenantOf } from "../rights/guard";

export const subscriptions = {
  operationEvents: {
    subscribe: guarded(
      "operationEvents",
      async (args: SubscriptionOperationEventsArgs, caller: CallerOfAny, context: ApiContext) => {
        const operation = await context.backend.reads.operation(tenantOf(caller), args.id);
        if (!operation) {
          throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no operation of this id" });
        }
        const after = args.after ?? undefined;
        if (after !== undefined) expectCursor(after, CURSORS.numbered);
        return context.backend.reads.events(operation.id, after, context.signal);
      },
    ),
    resolve: (event: EventRow) => event,
  },
  operationChanges: {
    subscribe: guarded(
      "operationChanges",
      async ({ deployment }: SubscriptionOperationChangesArgs, caller: CallerOfAny, context: ApiContext) => {
        const { reads } = context.backend;
        const tenant = tenantOf(caller);
        const row = deployment == null ? undefined : await reads.deployment(tenant, deployment);
        if (deployment != null && !row) {
          const reason = "there is no deployment of this id";
          throw new ApiError({ code: "NOT_FOUND", path: "deployment", reason });
        }
        return reads.changedOperations({ tenant, ...(row && { stack: row.id }) }, context.signal);
      },
    ),
    /** Each operation has data of its own time, so nothing that was loaded for the one before counts. */
    resolve: (operation: OperationRow) => operation,
  },
};

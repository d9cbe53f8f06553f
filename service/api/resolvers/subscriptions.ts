import type { EventRow } from "../../database/tables";
import type { CallerOfAny } from "../auth/identity";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { SubscriptionOperationEventsArgs } from "../schema.types";
import { guarded, tenantOf } from "./guard";

export const subscriptions = {
  operationEvents: {
    subscribe: guarded(
      "operationEvents",
      async (args: SubscriptionOperationEventsArgs, caller: CallerOfAny, context: ApiContext) => {
        const operation = await context.backend.reads.operation(tenantOf(caller), args.id);
        if (!operation) {
          throw new ApiError({ code: "NOT_FOUND", path: "id", reason: "there is no operation of this id" });
        }
        return context.backend.reads.events(operation.id, args.after ?? undefined, context.signal);
      },
    ),
    resolve: (event: EventRow) => event,
  },
};

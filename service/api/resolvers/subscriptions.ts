import type { EventRow } from "../../database/tables";
import type { CallerOfAny } from "../auth/identity";
import type { ApiContext } from "../context";
import { ApiError } from "../errors";
import type { SubscriptionOperationEventsArgs } from "../schema.types";
import { CURSORS, expectCursor } from "./arguments";
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
        const after = args.after ?? undefined;
        if (after !== undefined) expectCursor(after, CURSORS.numbered);
        return context.backend.reads.events(operation.id, after, context.signal);
      },
    ),
    resolve: (event: EventRow) => event,
  },
};

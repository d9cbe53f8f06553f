import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database";
import { KILL } from "../../workers/engineWorker";
import type { Log } from "../../workers/log";
import { LeaseLost, renew, type LeaseOptions } from "./lease";

/**
 * Renews a lease and checks whether the operation is to be canceled. If the lease can't be renewed, the engine is
 * stopped before the lease expires and another process takes over.
 */
export function keepLease(
  database: Database,
  id: string,
  controller: AbortController,
  options: LeaseOptions & { readonly log: Log },
): { readonly stop: () => void } {
  const { leaseMs, log } = options;
  const every = leaseMs / 3;
  let renewedAt = Date.now();
  let stopped = false;
  const work = async (): Promise<void> => {
    for (;;) {
      await sleep(every, undefined, { ref: false });
      if (stopped) return;
      const asked = Date.now();
      try {
        if (await renew(database, id, options)) controller.abort("cancel");
        renewedAt = asked;
      } catch (error) {
        if (error instanceof LeaseLost) return controller.abort(KILL);
        log.warn({ operation: id, err: error }, "the lease could not be renewed");
      }
    }
  };
  const watch = setInterval(() => {
    if (Date.now() - renewedAt > leaseMs - every / 2) controller.abort(KILL);
  }, every / 4).unref();
  void work();
  return {
    stop: () => {
      stopped = true;
      clearInterval(watch);
    },
  };
}

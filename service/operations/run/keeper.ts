import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database/database";
import type { Deadline } from "../../../engine/workers/deadline";
import { KILL } from "../../../engine/workers/engineWorker";
import type { Log } from "../../log";
import { LeaseLost, renew, type Lease, type LeaseOptions } from "./lease";

/**
 * Renews a lease, extends the deadline of its work, and checks whether the operation is to be canceled. If the lease
 * can't be renewed, the engine is stopped at the deadline, before the lease expires and another process takes over. If
 * this process is stopped itself, the watchdog of the worker does so: see engine/workers/watchdog.ts.
 */
export function keepLease(
  database: Database,
  lease: Lease,
  deadline: Deadline,
  controller: AbortController,
  { leaseMs, log }: Pick<LeaseOptions, "leaseMs"> & { readonly log: Log },
): { readonly stop: () => void } {
  const every = leaseMs / 3;
  let stopped = false;
  const work = async (): Promise<void> => {
    for (;;) {
      await sleep(every, undefined, { ref: false });
      if (stopped) return;
      const asked = deadline.moment;
      try {
        if (await renew(database, lease, leaseMs)) controller.abort("cancel");
        deadline.extend(asked);
      } catch (error) {
        if (error instanceof LeaseLost) return controller.abort(KILL);
        log.warn({ operation: lease.id, err: error }, "the lease could not be renewed");
      }
    }
  };
  const watch = setInterval(() => {
    if (deadline.left < 0) controller.abort(KILL);
  }, every / 4).unref();
  void work();
  return {
    stop: () => {
      stopped = true;
      clearInterval(watch);
    },
  };
}

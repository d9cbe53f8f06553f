import * as path from "node:path";
import { guard, interrupt, exitIfInterrupted } from "../process/interrupt";
import { updateRuntime } from "../runtime/up";
import { destroyRuntime } from "../runtime/destroy";
import { failed, type RuntimeJob } from "./pool";
import type { Result } from "../runtime/result";
import { keepWarm } from "../update/warm";

/**
 * Deploys runtimes one after the other, as the parent process requests. Ends with the parent; a job in progress is then
 * canceled.
 */
export function work(root: string): void {
  let busy = false;
  keepWarm();
  process.on("message", (job: RuntimeJob) => {
    busy = true;
    void guard(() => run(root, job)).then((result) => {
      busy = false;
      if (process.connected) process.send?.(result, () => exitIfInterrupted());
      else exitIfInterrupted();
    });
  });
  process.on("disconnect", () => (busy ? interrupt("SIGTERM") : process.exit()));
}

async function run(root: string, { request, existing, destroy, ...common }: RuntimeJob): Promise<Result> {
  const started = performance.now();
  const options = { root, folder: path.join(root, "runtime"), ...common };
  try {
    if (destroy === true) return { ...(await destroyRuntime(request.id, options)), outputs: {} };
    return await updateRuntime(request.id, request.change, options, existing);
  } catch (error) {
    return failed(request.id, error, performance.now() - started);
  }
}

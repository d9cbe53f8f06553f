import * as path from "node:path";
import { bringUp } from "./bring";
import { failed, type Job } from "./pool";
import type { Result } from "./result";

/** Brings runtimes up one after the other, as the parent process asks; ends when the parent goes away. */
export function work(root: string): void {
  process.on("message", (job: Job) => {
    void bring(root, job).then((result) => process.connected && process.send?.(result));
  });
}

async function bring(root: string, { request, ...common }: Job): Promise<Result> {
  const started = performance.now();
  const options = { root, folder: path.join(root, "runtime"), ...common };
  try {
    return await bringUp(request.id, request.change, options);
  } catch (error) {
    return failed(request.id, error, performance.now() - started);
  }
}

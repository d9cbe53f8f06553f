import { setTimeout as sleep } from "node:timers/promises";
import type { Pods } from "./pods";
import { Refusal, type Doc } from "./refusal";
import { isEnded } from "./store";

/** The double's API for executions and their commands. */
export class Executions {
  constructor(
    private readonly pods: () => Pods | undefined,
    private readonly errors: ReadonlyMap<string, Doc[]>,
  ) {}

  async answer(method: string, execution: Doc, command: string | undefined, query: URLSearchParams) {
    const exId = String(execution["ex_id"]);
    switch (`${method} ${command ?? ""}`) {
      case "GET ":
        return execution;
      case "GET errors":
        return this.errors.get(exId) ?? [];
      case "GET controller":
      case "GET slicer": {
        if (execution["_status"] !== "running") {
          throw new Refusal(404, `Could not find active slicer for ex_id: ${exId}`);
        }
        return [statistics(execution)];
      }
      case "POST _stop":
        return this.halt(execution, query.get("force") === "true", query.get("blocking") !== "false");
      case "POST _pause":
        return this.turn(execution, "paused");
      case "POST _resume":
        return this.turn(execution, "running");
      case "POST _workers":
        return this.scale(execution, query);
      default:
        throw new Refusal(405, `cannot ${method} endpoint ${command}`);
    }
  }

  private async halt(execution: Doc, force: boolean, blocking: boolean): Promise<Doc> {
    const exId = String(execution["ex_id"]);
    if (force || !isEnded(execution)) {
      if (!force) execution["_status"] = "stopping";
      await this.pods()?.drop(exId, force);
      const stopped = this.stopped(execution);
      if (blocking) await stopped;
    }
    const { _status: status } = execution;
    return force ? { message: `Force stop complete for exId ${exId}`, status } : { status };
  }

  /** A master checks the pods periodically, and treats an execution without pods as stopped. */
  private async stopped(execution: Doc): Promise<void> {
    while (await this.pods()?.run(String(execution["ex_id"]))) await sleep(100);
    if (!isEnded(execution)) execution["_status"] = "stopped";
  }

  private turn(execution: Doc, status: "paused" | "running"): Doc {
    active(execution);
    if (!["running", "paused", "failing"].includes(String(execution["_status"]))) {
      throw new Refusal(500, `Execution ${String(execution["ex_id"])} is not available to ${status}`);
    }
    execution["_status"] = status;
    return { status };
  }

  /** Changes the number in Kubernetes; the execution keeps its initial number. */
  private async scale(execution: Doc, query: URLSearchParams): Promise<Doc> {
    const how = (["add", "remove", "total"] as const).findLast((each) => query.has(each));
    const number = Number(how && query.get(how));
    if (how === undefined || !(number > 0)) {
      throw new Refusal(
        400,
        "Must provide a valid worker parameter(add/remove/total) that is a number and greater than zero",
      );
    }
    active(execution);
    await this.pods()?.scale(String(execution["ex_id"]), number, how);
    const done = { add: "add", remove: "remove", total: "set" }[how];
    return { message: `${number} workers have been ${done} for execution: ${String(execution["ex_id"])}` };
  }
}

function active(execution: Doc): void {
  if (isEnded(execution)) {
    throw new Refusal(404, `no active execution context was found for ex_id: ${String(execution["ex_id"])}`);
  }
}

/** Nothing is processed, so most numbers are 0. */
export const statistics = ({ ex_id, job_id, name, workers }: Doc): Doc => ({
  ...{ ex_id, job_id, name, workers_active: workers, workers_available: 0 },
  ...{ queued: 0, processed: 0, failed: 0 },
});

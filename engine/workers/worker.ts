import { Failure, failureKind } from "../../foundation/errors";
import { isDatabaseUnavailable } from "../../foundation/net/unavailable";
import type { Workspaces } from "../../foundation/pulumi/backend";
import { guard, interrupt, exitIfInterrupted, watchInterrupts } from "../process/interrupt";
import { endProcesses, killTree } from "../process/processTree";
import type { EngineEvent } from "../pulumi/events";
import { narrate } from "../pulumi/narrator";
import { onStart } from "../pulumi/pulumi";
import { destroyParts, destroyRuntime, refuseOrphans } from "../runtime/destroy";
import { toResult, type RuntimeOptions } from "../runtime/operate";
import { previewUp } from "../runtime/preview";
import { failedResult, type Result } from "../runtime/result";
import { updateRuntime } from "../runtime/up";
import { RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../pulumi/state/store";
import { Planned } from "../update/planned";
import { keepWarm } from "../update/warm";
import { uptime } from "./deadline";
import type { EngineJob, EngineResult, Extended, JobEvent, Noted, WorkerMessage } from "./messages";

/**
 * Runs a worker process: executes jobs one after the other with everything loaded once. Ends with the process that
 * started it; a job in progress is then canceled and ends cleanly.
 */
export async function serve(workspaces: Workspaces): Promise<void> {
  let busy = false;
  // The process that started it informs the user.
  watchInterrupts(() => undefined);
  const unnoted = new Map<number, () => void>();
  onStart((engine) => {
    const noted = new Promise<void>((resolve) => unnoted.set(engine.pid, resolve));
    send({ type: "engine", engine });
    return noted;
  });
  const deadline = new OwnDeadline();
  process.on("message", (message: EngineJob | Noted | Extended) => {
    if ("noted" in message) return unnoted.get(message.noted)?.();
    if ("until" in message) return deadline.set(message.until);
    busy = true;
    void guard(() => run(message, workspaces)).then((result) => {
      busy = false;
      deadline.clear();
      send({ type: "result", result, memoryBytes: process.memoryUsage.rss() }, exitIfInterrupted);
    });
  });
  process.on("disconnect", () => {
    if (busy) return interrupt("SIGTERM");
    endProcesses(process.pid);
    process.exit();
  });
  // Loads and starts an engine while no job waits.
  keepWarm(workspaces.runtimes);
  await Promise.all([import("../update/server.js"), import("../../runtime/program.js")]);
  send({ type: "ready" });
}

/** Ends this process with its engine at the deadline of the job, where there is no watchdog. */
class OwnDeadline {
  private until = Infinity;
  private timer: NodeJS.Timeout | undefined;

  set(until: number): void {
    this.until = until;
    clearTimeout(this.timer);
    // A process that was stopped first hears of the extensions that it missed.
    this.timer = setTimeout(() => setImmediate(() => setImmediate(() => this.check())), this.left * 1000);
  }

  clear(): void {
    clearTimeout(this.timer);
    this.until = Infinity;
  }

  private get left(): number {
    return Math.max(0, this.until - uptime());
  }

  private check(): void {
    if (this.left === 0) killTree(process.pid);
  }
}

function send(message: WorkerMessage, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then);
  else then();
}

async function run(job: EngineJob, workspaces: Workspaces): Promise<EngineResult> {
  const { verb, id, change, existing, reports, ...common } = job;
  const started = performance.now();
  const planned = new Planned();
  const options: RuntimeOptions = {
    ...workspaces,
    ...common,
    disk: change.disk,
    onEvent: (event) => {
      planned.event(event);
      const events = reports === true ? eventsOf(event) : [];
      if (events.length > 0) send({ type: "events", events });
    },
    ...(reports === true && { onNote: (text) => send({ type: "events", events: [{ kind: "note", text }] }) }),
  };
  try {
    switch (verb) {
      case "up":
        return await updateRuntime(id, change, options, existing);
      case "destroy":
        return { ...(await destroy(job, options)), outputs: {} };
      case "preview": {
        const result = await previewUp(id, change, options);
        return { ...result, plan: planned.changes, notes: [...new Set([...result.notes, ...planned.notes])] };
      }
    }
  } catch (error) {
    // The state is read from PostgreSQL directly, whose driver has its own error codes.
    return failedResult(id, error, started, failureKind(error) ?? (isDatabaseUnavailable(error) ? "state" : undefined));
  }
}

/** A missing stack is the desired result, unless it must exist, or parts of the runtime still exist. */
async function destroy({ id, existing, mayHaveParts, targets }: EngineJob, options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const isThere = async () => withStore(options.runtimes, (store) => store.exists(RUNTIME_PROJECT, id));
  if (existing === "must-exist" || (await isThere())) {
    return targets ? destroyParts(id, targets, options) : destroyRuntime(id, options);
  }
  const owners = mayHaveParts === true ? await refuseOrphans(id, options) : [];
  if (owners.length > 0)
    throw new Failure(`${id} has no stack, and belongs to ${owners.join("; and to ")}. Destroy it from there`);
  const nothing = { ok: true, changes: {}, outputs: {}, errors: [], warnings: [], stderr: "" };
  return toResult(id, nothing, started, ["there was nothing left to remove"]);
}

function eventsOf(event: EngineEvent): JobEvent[] {
  const step = event.resourcePreEvent?.metadata;
  const data = step && { op: step.op, type: step.type, urn: step.urn };
  return narrate(event).map(({ kind, text }) => ({
    kind: step ? "step" : "diagnostic",
    text,
    data: data ?? { severity: kind === "warning" ? "warning" : "info" },
  }));
}

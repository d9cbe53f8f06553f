import { failureKind, messageOf, type FailureKind } from "../../foundation/errors";
import { isDatabaseAway } from "../database/away";
import { guard, interrupt, exitIfInterrupted, watchInterrupts } from "../../engine/process/interrupt";
import type { EngineEvent } from "../../engine/pulumi/events";
import { narrate } from "../../engine/pulumi/narrator";
import { endProcesses, killTree } from "../../engine/process/processTree";
import { onStart } from "../../engine/pulumi/pulumi";
import { updateRuntime } from "../../engine/runtime/up";
import { destroyParts, destroyRuntime, refuseOrphans } from "../../engine/runtime/destroy";
import type { RuntimeOptions } from "../../engine/runtime/operate";
import { previewUp } from "../../engine/runtime/preview";
import type { Result } from "../../engine/runtime/result";
import { RUNTIME_PROJECT } from "../../engine/stack/names";
import { withStore } from "../../engine/state/store";
import { Planned } from "../../engine/update/planned";
import { keepWarm } from "../../engine/update/warm";
import type { NewEvent } from "../database/queries/events";
import { uptime } from "./deadline";
import type { EngineJob, EngineResult, Extended, Noted, WorkerMessage } from "./messages";

/**
 * Runs a worker process: executes jobs one after the other with everything loaded once. Ends with the service; a job in
 * progress is then canceled and ends cleanly.
 */
export async function serve(root: string, folder: string): Promise<void> {
  let busy = false;
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
    void guard(() => run(message, root, folder)).then((result) => {
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
  keepWarm();
  await Promise.all([import("../../engine/update/server.js"), import("../../runtime/program.js")]);
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

async function run(job: EngineJob, root: string, folder: string): Promise<EngineResult> {
  const { id, change, command, refresh, only, operation, serviceDefaults, defaultPlatform, waitSeconds, gone } = job;
  const planned = new Planned();
  const options: RuntimeOptions = {
    root,
    folder,
    command,
    refresh,
    only,
    operation,
    disk: change.disk,
    serviceDefaults,
    defaultPlatform,
    waitSeconds,
    gone,
    keepsFile: false,
    onEvent: (event) => {
      planned.event(event);
      const events = eventsOf(event);
      if (events.length > 0) send({ type: "events", events });
    },
    onNote: (text) => send({ type: "events", events: [{ kind: "note", text }] }),
  };
  try {
    switch (job.verb) {
      case "up":
        return resultOf(await updateRuntime(id, change, options, job.existing));
      case "destroy":
        return await destroy(job, options);
      case "preview": {
        const result = resultOf(await previewUp(id, change, options));
        return { ...result, plan: planned.changes, notes: [...new Set([...result.notes, ...planned.notes])] };
      }
    }
  } catch (error) {
    return { ok: false, changes: {}, outputs: {}, errors: [messageOf(error)], kind: jobFailureKind(error), notes: [] };
  }
}

const resultOf = ({ ok, changes, outputs, errors, kind, notes }: Result): EngineResult => ({
  ok,
  kind,
  changes,
  outputs,
  errors,
  notes,
});

/** The state is read from PostgreSQL directly, whose driver has its own error codes. */
const jobFailureKind = (error: unknown): FailureKind | undefined =>
  failureKind(error) ?? (isDatabaseAway(error) ? "state" : undefined);

/** A missing stack is the desired result, unless parts of the runtime still exist. */
async function destroy({ id, mayHaveParts, targets }: EngineJob, options: RuntimeOptions): Promise<EngineResult> {
  const there = await withStore(options.folder, (store) => store.exists(RUNTIME_PROJECT, id));
  if (there && targets) return { ...resultOf(await destroyParts(id, targets, options)), outputs: {} };
  if (there) return { ...resultOf(await destroyRuntime(id, options)), outputs: {} };
  if (mayHaveParts === true) await refuseOrphans(id, options);
  return { ok: true, changes: {}, outputs: {}, errors: [], notes: ["there was nothing left to remove"] };
}

function eventsOf(event: EngineEvent): NewEvent[] {
  const step = event.resourcePreEvent?.metadata;
  const data = step && { op: step.op, type: step.type, urn: step.urn };
  return narrate(event).map(({ kind, text }) => ({
    kind: step ? "step" : "diagnostic",
    text,
    data: data ?? { severity: kind === "warning" ? "warning" : "info" },
  }));
}

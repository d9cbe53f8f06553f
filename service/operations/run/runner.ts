import type { EngineRecord } from "../../../foundation/process/engines";
import { setTimeout as sleep } from "node:timers/promises";
import type { OperationResult, OperationRow } from "../../database/tables";
import { KILL } from "../../../engine/workers/engineWorker";
import { OperationError } from "../error";
import { backOff, type BackOff } from "../../../foundation/backOff";
import { failureOf, timeout, unknownStage } from "./failure";
import { finish, remainingAfter, type Ending, type FinishOptions } from "./finish";
import { keepLease } from "./keeper";
import {
  acquireLease,
  LeaseLost,
  noteEngine,
  recordLeasedEvents,
  type Lease,
  type LeasedOperation,
  type LeaseOptions,
} from "./lease";
import type { Stage, StageEnd, StagePlace } from "./stage";
import { Progress } from "./progress";
import { Reporter } from "./reporter";
import { inSpan, type SpanReporter } from "../../tracing/span";
import { Deadline } from "../../../engine/workers/deadline";
import type { Log } from "../../log";

/** If the database stays unavailable longer than a lease, the operation is given up. */
const NOTE_AGAIN_MS = 500;

export interface RunnerOptions extends LeaseOptions, Pick<FinishOptions, "onEnd"> {
  readonly place: StagePlace;
  /** Time limit of a stage, including retries. */
  readonly stageMs: number;
  readonly backOff: BackOff;
  readonly log: Log;
}

/** One run of an operation in this process. */
interface Turn {
  readonly controller: AbortController;
  readonly deadline: Deadline;
  readonly span: SpanReporter;
  readonly onlyLooks: boolean;
}

/** Executes operations, each while it holds the lease. */
export class Runner {
  /** Operations in progress in this process. */
  private readonly underWay = new Map<string, AbortController>();
  private isDraining = false;

  constructor(private readonly options: RunnerOptions) {}

  get count(): number {
    return this.underWay.size;
  }

  /** Cancels an operation if it is in progress in this process. */
  cancel(id: string): void {
    this.underWay.get(id)?.abort("cancel");
  }

  /** Releases all operations in progress: engines stop cleanly, and another process continues. */
  release(): void {
    this.isDraining = true;
    for (const controller of this.underWay.values()) controller.abort("drain");
  }

  /**
   * Executes an operation until it ends, has to wait, or is lost to another process. With `onlyLooks`, stops before a
   * stage that needs an engine.
   */
  async work(id: string, onlyLooks = false): Promise<void> {
    if (this.isDraining) return;
    const { place, log, leaseMs } = this.options;
    // From before the lease is asked for, so that it never ends later than the lease does.
    const deadline = new Deadline(leaseMs);
    const taken = await acquireLease(place.database, id, this.options);
    if (taken === undefined) return;
    const controller = new AbortController();
    this.underWay.set(id, controller);
    const keeper = keepLease(place.database, taken.lease, deadline, controller, this.options);
    try {
      const { operation } = taken;
      const attributes = {
        "stackyard.operation": operation.id,
        "stackyard.deployment": operation.deploymentId,
        "stackyard.tenant": operation.tenant,
      };
      await inSpan(`operation ${operation.kind}`, { attributes, parent: operation.trace }, (span) =>
        this.stages(taken, { controller, deadline, span, onlyLooks }),
      );
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.warn({ operation: id }, "this process lost the lease of the operation; another process continues it");
    } finally {
      keeper.stop();
      this.underWay.delete(id);
    }
  }

  private async stages(
    { lease, operation, deployment }: LeasedOperation,
    { controller, deadline, span, onlyLooks }: Turn,
  ): Promise<void> {
    const { place, log } = this.options;
    const { signal } = controller;
    if (operation.cancelRequestedAt !== null) return this.end(lease, operation, CANCELED);
    const stages = this.options.stagesFor(operation, deployment);
    let result: OperationResult | undefined = operation.result ?? undefined;
    const from = stages.findIndex(({ name }) => name === operation.stage);
    if (from < 0) {
      const error = unknownStage(operation);
      return this.end(lease, operation, { state: "failed", message: error.reason, error: error.stored() });
    }
    for (const [index, stage] of stages.entries()) {
      if (index < from) continue;
      if (onlyLooks && stage.onlyLooks !== true) return this.progress(lease).later(undefined, 0, {});
      const left = await this.progress(lease).enter(index + 1, stage, this.options.stageMs);
      const reporter = new Reporter(
        (events) => recordLeasedEvents(place.database, lease, events),
        (error) => log.warn({ operation: operation.id, err: error }, "progress could not be written"),
      );
      let end: StageEnd;
      try {
        if (left.ms <= 0) throw timeout(stage, left.error);
        end = await inSpan(`stage ${stage.name}`, {}, () =>
          stage.run({
            ...place,
            operation,
            deployment,
            limitMs: left.ms,
            signal,
            deadline,
            report: (events) => reporter.add(events),
            onEngine: (engine) => this.note(lease, engine, controller),
          }),
        );
      } catch (error) {
        span.failed(`stage ${stage.name}`);
        await reporter.end();
        return this.failed(lease, operation, index + 1, stage, error, signal);
      }
      await reporter.end();
      if (end.end === "waits") {
        if (signal.aborted) return this.aborted(lease, operation, signal, undefined);
        return this.progress(lease).later(index + 1, end.afterMs, { message: end.because, looks: stage.onlyLooks });
      }
      result = end.result ?? result;
      await this.progress(lease).leave(index + 1, result);
    }
    await this.end(lease, operation, { state: "succeeded", message: "done", result });
  }

  /** Retries until it succeeds or the operation is no longer in progress here. */
  private async note(lease: Lease, engine: EngineRecord, controller: AbortController): Promise<void> {
    while (!controller.signal.aborted) {
      try {
        return await noteEngine(this.options.place.database, lease, engine);
      } catch (error) {
        if (error instanceof LeaseLost) return controller.abort(KILL);
        this.options.log.warn(
          { operation: lease.id, err: error },
          "an engine could not be noted, and is not started before",
        );
        await sleep(NOTE_AGAIN_MS);
      }
    }
  }

  private async failed(
    lease: Lease,
    operation: OperationRow,
    number: number,
    stage: Stage,
    thrown: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    if (thrown instanceof LeaseLost) throw thrown;
    const { error, passes } = failureOf(thrown);
    if (error.code === "INTERNAL") this.options.log.error({ operation: operation.id, err: thrown }, "unexpected error");
    if (signal.aborted) return this.aborted(lease, operation, signal, error);
    if (!passes)
      return this.end(lease, operation, { state: "failed", message: firstLine(error.reason), error: error.stored() });
    const stored = error.stored();
    const { place } = this.options;
    const row = await place.database
      .selectFrom("stage")
      .select("attempts")
      .where("operationId", "=", operation.id)
      .where("number", "=", number)
      .executeTakeFirstOrThrow();
    const wait = backOff(row.attempts, this.options.backOff);
    const message = `stage ${stage.name} is retried in ${Math.ceil(wait / 1000)} s: ${firstLine(error.reason)}`;
    await this.progress(lease).later(number, wait, { message, error: stored, looks: stage.onlyLooks });
  }

  /** Handles an operation whose engine this process has stopped. */
  private async aborted(
    lease: Lease,
    operation: OperationRow,
    signal: AbortSignal,
    error: OperationError | undefined,
  ): Promise<void> {
    if (signal.reason === "cancel") return this.end(lease, operation, CANCELED);
    if (signal.reason === KILL) throw new LeaseLost(error?.reason);
    await this.progress(lease).later(undefined, 0, {
      message: "handed over to another process, because this one shuts down",
    });
  }

  private progress(lease: Lease): Progress {
    return new Progress(this.options.place.database, lease);
  }

  private async end(lease: Lease, operation: OperationRow, ending: Omit<Ending, "has">): Promise<void> {
    const { place, log } = this.options;
    let has: Ending["has"];
    try {
      const remaining = await remainingAfter(place, operation, ending.state);
      if ("waits" in remaining) return this.progress(lease).later(undefined, 2_000, { message: remaining.waits });
      ({ has } = remaining);
    } catch (error) {
      log.warn({ operation: operation.id, err: error }, "the state could not be read at the end of an operation");
      // An operation succeeds only when its result could be read.
      if (ending.state === "succeeded")
        return this.progress(lease).later(undefined, 2_000, { message: "reading the state" });
    }
    const options = { lease, onEnd: this.options.onEnd, defaultPlatform: place.defaultPlatform };
    const row = await finish(place.database, { ...ending, has }, options);
    log.info({ operation: row.id, deployment: row.deploymentId, kind: row.kind, state: row.state }, row.message);
  }
}

const CANCELED: Omit<Ending, "has"> = {
  state: "canceled",
  message: "canceled; created resources stay",
  error: new OperationError("CANCELED", {
    reason: "a caller canceled it",
    advice: "Created resources stay. Retry the operation to continue from there",
    retryable: true,
  }).stored(),
};

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

import { setTimeout as sleep } from "node:timers/promises";
import type { EngineProcess, OperationResult, OperationRow, StoredError } from "../../database/tables";
import { KILL } from "../../workers/engineWorker";
import { OperationError } from "../error";
import { recordEvents } from "../events";
import { backOff, type BackOff } from "./backoff";
import { readState } from "./deploymentStages";
import { failureOf } from "./failure";
import { finish, type Ending, type FinishOptions } from "./finish";
import { keepLease } from "./keeper";
import { LeaseLost, noteEngine, acquireLease, type LeaseOptions, type LeasedOperation } from "./lease";
import { deployedState, type DeployedState } from "./outcome";
import type { Stage, StageEnd, StagePlace } from "./stage";
import { Progress } from "./progress";
import { Reporter } from "./reporter";
import { inSpan, type SpanReporter } from "../../tracing/span";
import type { Log } from "../../workers/log";

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
  readonly signal: AbortSignal;
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
    const { place, log } = this.options;
    const taken = await acquireLease(place.database, id, this.options);
    if (taken === undefined) return;
    const controller = new AbortController();
    this.underWay.set(id, controller);
    const keeper = keepLease(place.database, id, controller, this.options);
    try {
      const { operation } = taken;
      const attributes = {
        "stackyard.operation": operation.id,
        "stackyard.deployment": operation.deploymentId,
        "stackyard.tenant": operation.tenant,
      };
      await inSpan(`operation ${operation.kind}`, { attributes, parent: operation.trace }, (span) =>
        this.stages(taken, { signal: controller.signal, span, onlyLooks }),
      );
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.warn({ operation: id }, "this process lost the lease of the operation; another process continues it");
    } finally {
      keeper.stop();
      this.underWay.delete(id);
    }
  }

  private async stages({ operation, deployment }: LeasedOperation, { signal, span, onlyLooks }: Turn): Promise<void> {
    const { place, log } = this.options;
    if (operation.cancelRequestedAt !== null) return this.end(operation, CANCELED);
    const stages = this.options.stagesFor(operation, deployment);
    let result: OperationResult | undefined = operation.result ?? undefined;
    const from = stages.findIndex(({ name }) => name === operation.stage);
    if (from < 0) return this.end(operation, unknownStage(operation));
    for (const [index, stage] of stages.entries()) {
      if (index < from) continue;
      if (onlyLooks && stage.onlyLooks !== true) return this.progress(operation).later(undefined, 0, {});
      const left = await this.progress(operation).enter(index + 1, stage, this.options.stageMs);
      const reporter = new Reporter(
        (events) => recordEvents(place.database, operation.id, events),
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
            report: (events) => reporter.add(events),
            onEngine: (engine) => this.note(operation.id, engine, signal),
          }),
        );
      } catch (error) {
        span.failed(`stage ${stage.name}`);
        await reporter.end();
        return this.failed(operation, index + 1, stage, error, signal);
      }
      await reporter.end();
      if (end.end === "waits") {
        if (signal.aborted) return this.aborted(operation, signal, undefined);
        return this.progress(operation).later(index + 1, end.afterMs, { message: end.because, looks: stage.onlyLooks });
      }
      result = end.result ?? result;
      await this.progress(operation).leave(index + 1, result);
    }
    await this.end(operation, { state: "succeeded", message: "done", result });
  }

  /** Retries until it succeeds or the operation is no longer in progress here. */
  private async note(id: string, engine: EngineProcess, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        return await noteEngine(this.options.place.database, id, engine);
      } catch (error) {
        this.options.log.warn({ operation: id, err: error }, "an engine could not be noted, and is not started before");
        await sleep(NOTE_AGAIN_MS);
      }
    }
  }

  private async failed(
    operation: OperationRow,
    number: number,
    stage: Stage,
    thrown: unknown,
    signal: AbortSignal,
  ): Promise<void> {
    if (thrown instanceof LeaseLost) throw thrown;
    const { error, passes } = failureOf(thrown);
    if (error.code === "INTERNAL") this.options.log.error({ operation: operation.id, err: thrown }, "unexpected error");
    if (signal.aborted) return this.aborted(operation, signal, error);
    if (!passes)
      return this.end(operation, { state: "failed", message: firstLine(error.reason), error: error.stored() });
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
    await this.progress(operation).later(number, wait, { message, error: stored, looks: stage.onlyLooks });
  }

  /** Handles an operation whose engine this process has stopped. */
  private async aborted(
    operation: OperationRow,
    signal: AbortSignal,
    error: OperationError | undefined,
  ): Promise<void> {
    if (signal.reason === "cancel") return this.end(operation, CANCELED);
    if (signal.reason === KILL) throw new LeaseLost(error?.reason);
    await this.progress(operation).later(undefined, 0, {
      message: "handed over to another process, because this one shuts down",
    });
  }

  private progress({ id }: OperationRow): Progress {
    return new Progress(this.options.place.database, id, this.options.owner);
  }

  private async end(operation: OperationRow, ending: Omit<Ending, "has">): Promise<void> {
    const { place, log } = this.options;
    let has: DeployedState | null | undefined;
    try {
      has = deployedState(await readState(place.folder, operation.deploymentId), operation.deploymentId);
    } catch (error) {
      log.warn({ operation: operation.id, err: error }, "the state could not be read at the end of an operation");
      // An operation succeeds only when its result could be read.
      if (ending.state === "succeeded")
        return this.progress(operation).later(undefined, 2_000, { message: "reading the state" });
    }
    const options = { ...this.options, defaultPlatform: place.defaultPlatform };
    const row = await finish(place.database, operation.id, { ...ending, has }, options);
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

/** Another version of the service started the operation, with a stage that this version does not know. */
function unknownStage({ stage }: OperationRow): Omit<Ending, "has"> {
  const reason = `stage ${stage} is unknown to this version of the service`;
  const advice = "Retry the operation";
  const error = new OperationError("INTERNAL", { reason, component: "service", advice, retryable: true }).stored();
  return { state: "failed", message: reason, error };
}

function timeout({ name }: Stage, last: StoredError | null): OperationError {
  const why = last === null ? "" : `; the last try failed: ${last.reason}`;
  return new OperationError("TIMEOUT", {
    reason: `stage ${name} did not end in time${why}`,
    component: last?.component,
    advice: "Remove the cause, then retry the operation",
    retryable: false,
  });
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

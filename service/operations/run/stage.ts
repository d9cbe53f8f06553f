import type { Workspace } from "../../../foundation/pulumi/backend";
import type { Database } from "../../database/database";
import type { DeploymentRow, OperationResult, OperationRow } from "../../database/tables";
import type { Deadline } from "../../../engine/workers/deadline";
import type { JobOptions, Broken } from "../../../engine/workers/engineWorker";
import type { EngineJob, EngineResult } from "../../../engine/workers/messages";
import type { NewEvent } from "../../database/queries/events";

/** What stages need besides the database. */
export interface StagePlace {
  readonly database: Database;
  /** That of the runtimes. */
  readonly workspace: Workspace;
  readonly defaultPlatform: string;
  runEngine(job: EngineJob, options: JobOptions): Promise<EngineResult | Broken>;
}

/** Input of a stage. */
export interface StageContext extends StagePlace {
  readonly operation: OperationRow;
  readonly deployment: DeploymentRow;
  /** Remaining time of the stage, in milliseconds. */
  readonly limitMs: number;
  /** Stops the stage early: the operation is to be canceled, or this process has lost it. */
  readonly signal: AbortSignal;
  /** When the work must have ended, unless it is extended. */
  readonly deadline: Deadline;
  readonly report: (events: readonly NewEvent[]) => void;
  readonly onEngine: JobOptions["onEngine"];
}

/** How a stage ends without an error. */
export type StageEnd =
  | { readonly end: "done"; readonly result?: OperationResult }
  /** Not ready yet: the stage runs again after the pause, and occupies no worker meanwhile. */
  | { readonly end: "waits"; readonly afterMs: number; readonly because: string };

/** A step of an operation. It must be safe to run again after an interruption at any point. */
export interface Stage {
  readonly name: string;
  /** Time limit including retries, in milliseconds. Default: `APP_STAGE_TIMEOUT`. */
  readonly limitMs?: number;
  /** True if the stage only polls. It then runs beside the operations that need an engine. */
  readonly onlyLooks?: boolean;
  /** Throws a {@link StageFailure}, or any other error for a bug. */
  run(context: StageContext): Promise<StageEnd>;
}

/** Returns the stages of an operation on a deployment. */
export type StagesFor = (
  operation: Pick<OperationRow, "kind" | "change">,
  deployment: Pick<DeploymentRow, "desiredConfig">,
) => readonly Stage[];

import type { Database } from "../../database/database";
import type { DeploymentRow, OperationResult, OperationRow } from "../../database/tables";
import type { JobOptions } from "../../workers/engineWorker";
import type { EngineJob, EngineResult } from "../../workers/messages";
import type { NewEvent } from "../events";
import type { Broken } from "../../workers/engineWorker";

/** What stages stand on, besides the database. */
export interface StagePlace {
  readonly database: Database;
  /** Folder of the runtimes' project. */
  readonly folder: string;
  readonly defaultPlatform: string;
  runEngine(job: EngineJob, options: JobOptions): Promise<EngineResult | Broken>;
}

/** What a stage works on. */
export interface StageContext extends StagePlace {
  readonly operation: OperationRow;
  readonly deployment: DeploymentRow;
  /** How long the stage may still take. */
  readonly limitMs: number;
  /** Ends the stage early: the operation is to be canceled, or this process may no longer work on it. */
  readonly signal: AbortSignal;
  readonly report: (events: readonly NewEvent[]) => void;
  readonly onEngine: JobOptions["onEngine"];
}

/** How a run of a stage ended, when it did not fail. */
export type StageEnd =
  | { readonly end: "done"; readonly result?: OperationResult }
  /** Nothing went wrong, but what it waits for is not there yet; it is run again then, and holds nothing meanwhile. */
  | { readonly end: "waits"; readonly afterMs: number; readonly because: string };

/** A part of an operation. It may be run again at any time, also after it was cut off anywhere. */
export interface Stage {
  readonly name: string;
  /** How long it may take with all its tries; none: as long as any stage may. */
  readonly limitMs?: number;
  /** Whether it only looks at something: then it waits beside the operations that need an engine. */
  readonly onlyLooks?: boolean;
  /** Throws a {@link StageFailure}, or anything else for what nobody expected. */
  run(context: StageContext): Promise<StageEnd>;
}

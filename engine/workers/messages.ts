import type { EngineRecord } from "../../foundation/process/engines";
import type { Existing } from "../runtime/request/prepare";
import type { Request } from "../runtime/request/request";
import type { RuntimeOptions } from "../runtime/operate";
import type { Result } from "../runtime/result";
import type { PlannedChange } from "../update/planned";

/** Options that a worker passes on. */
type Passed =
  | "command"
  | "defaultPlatform"
  | "gone"
  | "keepsFile"
  | "only"
  | "operation"
  | "refresh"
  | "serviceDefaults"
  | "waitSeconds";

/** Message to a worker process: one run of the engine on the stack of a runtime. */
export interface EngineJob extends Request, Pick<RuntimeOptions, Passed> {
  readonly verb: "up" | "destroy" | "preview";
  /** Default: the runtime may be new, and one that is to be deleted may be gone already. */
  readonly existing?: Existing;
  /** URNs: delete only these resources and their dependents, and keep the stack. */
  readonly targets?: readonly string[];
  /**
   * True if parts of the runtime may exist without a stack. They are searched for before the runtime counts as deleted.
   */
  readonly mayHaveParts?: boolean;
  /** Report events and notes at once. Default: notes only, with the result. */
  readonly reports?: boolean;
}

/** Confirms that the engine with this process id is recorded. */
export interface Noted {
  readonly noted: number;
}

/** When the job in progress must have ended, unless that is extended again; see deadline.ts for its clock. */
export interface Extended {
  readonly until: number;
}

export interface EngineResult extends Result {
  /** Result of a preview. */
  readonly plan?: readonly PlannedChange[];
}

/** A step of the engine, a message of it, or a note for users. */
export interface JobEvent {
  readonly kind: "step" | "diagnostic" | "note";
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Messages from a worker process. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "engine"; readonly engine: EngineRecord }
  | { readonly type: "events"; readonly events: readonly JobEvent[] }
  | { readonly type: "result"; readonly result: EngineResult; readonly memoryBytes: number };

import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { PlannedChange } from "../../engine/update/planned";
import type { Existing } from "../../engine/runtime/request/prepare";
import type { RuntimeChange } from "../../engine/stack/change";
import type { EngineRecord } from "../../foundation/process/engines";
import type { FailureKind } from "../../foundation/errors";
import type { NewEvent } from "../database/queries/events";

/** Message to a worker process: one run of the engine on one stack. */
export interface EngineJob {
  readonly verb: "up" | "destroy" | "preview";
  /** Name of the deployment's stack. */
  readonly id: string;
  readonly change: RuntimeChange;
  readonly existing?: Existing;
  /** URNs: delete only these resources and their dependents, and keep the stack. */
  readonly targets?: readonly string[];
  /** Recorded in the state as the command. */
  readonly command: string;
  readonly refresh?: boolean;
  /** Only start the creation or change of the cluster, and leave its content as it is. */
  readonly only?: "cluster";
  /** Id of the operation; annotated on the cluster. */
  readonly operation?: string;
  /** Defaults from the environment for provisioners of type gardener. */
  readonly serviceDefaults?: ServiceDefaults;
  readonly defaultPlatform: string;
  /** How long to wait for another process that holds the stack's lock. */
  readonly waitSeconds: number;
  /** Engines that have certainly ended elsewhere. */
  readonly gone: readonly EngineRecord[];
  /**
   * True if parts of the runtime may exist without a stack. They are searched for before the runtime counts as deleted.
   */
  readonly mayHaveParts?: boolean;
}

/** Confirms that the service has recorded the engine with this process id. */
export interface Noted {
  readonly noted: number;
}

/** When the job in progress must have ended, unless that is extended again; see deadline.ts for its clock. */
export interface Extended {
  readonly until: number;
}

/** Result of a run of the engine. */
export interface EngineResult {
  readonly ok: boolean;
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Error messages for users. */
  readonly errors: readonly string[];
  /** Kind of the failure; undefined if unknown. */
  readonly kind?: FailureKind;
  readonly notes: readonly string[];
  /** Result of a preview. */
  readonly plan?: readonly PlannedChange[];
}

/** Messages from a worker process. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "engine"; readonly engine: EngineRecord }
  | { readonly type: "events"; readonly events: readonly NewEvent[] }
  | { readonly type: "result"; readonly result: EngineResult; readonly memoryBytes: number };

import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { PlannedChange } from "../../engine/update/planned";
import type { Existing } from "../../engine/runtime/request/prepare";
import type { RuntimeChange } from "../../engine/stack/change";
import type { EngineProcess } from "../database/tables";
import type { FailureKind } from "../../foundation/errors";
import type { NewEvent } from "../operations/events";

/** What a worker process is sent: one run of the engine on one stack. */
export interface EngineJob {
  readonly verb: "up" | "destroy" | "preview";
  /** Id of the deployment, which is its stack's name. */
  readonly id: string;
  readonly change: RuntimeChange;
  readonly existing?: Existing;
  /** URNs: only these are destroyed, with what depends on them, and the stack stays. */
  readonly targets?: readonly string[];
  /** For the record in the state. */
  readonly command: string;
  readonly refresh?: boolean;
  /** Only begins to create or change the cluster, and leaves what is in it as it is. */
  readonly only?: "cluster";
  /** Id of the operation, for the cluster. */
  readonly operation?: string;
  /** What the environment says of provisioners of type gardener. */
  readonly serviceDefaults?: ServiceDefaults;
  readonly defaultPlatform: string;
  /** How long to wait for another user who works on the stack. */
  readonly waitSeconds: number;
  /** Engines of other hosts that have surely ended. */
  readonly gone: readonly EngineProcess[];
  /** Whether there may be parts of the runtime although there is no stack: then nothing is called gone before they were looked for. */
  readonly mayHaveParts?: boolean;
}

/** The service has noted an engine of that process id for the operation. */
export interface Noted {
  readonly noted: number;
}

/** How a run of the engine ended. */
export interface EngineResult {
  readonly ok: boolean;
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What went wrong, in plain words. */
  readonly errors: readonly string[];
  /** Kind of the errors; undefined if unknown. */
  readonly kind?: FailureKind;
  readonly notes: readonly string[];
  /** Of a preview. */
  readonly plan?: readonly PlannedChange[];
}

/** What a worker process reports. */
export type WorkerMessage =
  | { readonly type: "ready" }
  | { readonly type: "engine"; readonly process: EngineProcess }
  | { readonly type: "events"; readonly events: readonly NewEvent[] }
  | { readonly type: "result"; readonly result: EngineResult; readonly memoryBytes: number };

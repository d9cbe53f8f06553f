import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { BackOff } from "../operations/run/backoff";
import type { ClusterWork } from "../gardener/clusterStages";

export interface WorkerSettings {
  /** The checkout or installation whose programs are run. */
  readonly root: string;
  /** Where the state of the stacks is; default: the environment's PULUMI_BACKEND_URL. */
  readonly backend?: string;
  /** Platform of deployments that name none, as organization/project/stack. */
  readonly defaultPlatform: string;
  /** How many operations at the same time. */
  readonly count: number;
  /** Memory of a worker after an operation, and its age, at which it is replaced. */
  readonly memoryMb: number;
  readonly maxAgeMs: number;
  readonly operationMs: number;
  readonly stageMs: number;
  /** How long operations in progress may continue after SIGTERM, before they are handed over. */
  readonly drainMs: number;
  /** Whether operations of processes that are gone are taken up again. */
  readonly takesUp: boolean;
  /** How long an operation is a process' own silently from it. */
  readonly leaseMs?: number;
  readonly backOff?: BackOff;
  /** What every run of the engine has for provisioners of type gardener. Default: nothing. */
  readonly serviceDefaults?: ServiceDefaults;
  /** For operations on clusters. Default: an engine waits for them. */
  readonly clusters?: ClusterWork;
}

export const LEASE_MS = 30_000;
/** What is looked at may be slow to answer, but takes no time of ours. */
export const LOOKS_AT_ONCE = 4;
export const DELIVERIES_AT_ONCE = 2;
export const BACK_OFF: BackOff = { firstMs: 2_000, mostMs: 60_000 };
/** What one update may take at most, as a multiple of what a worker may have afterwards: its engine and providers come on top. */
export const MEMORY_FACTOR = 3;

import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { BackOff } from "../../foundation/backOff";
import type { ClusterWork } from "../gardener/clusterStages";

export interface WorkerSettings {
  /** Folder of the checkout or installation whose programs run. */
  readonly root: string;
  /** URL of the state backend. */
  readonly backend: string | undefined;
  /** Default platform of deployments, as organization/project/stack. */
  readonly defaultPlatform: string;
  /** Number of concurrent operations. */
  readonly count: number;
  /** Memory of a worker after an operation, and age, at which it is replaced. */
  readonly memoryMb: number;
  readonly maxAgeMs: number;
  readonly operationMs: number;
  readonly stageMs: number;
  /** How long operations in progress may continue after SIGTERM before they are handed over. */
  readonly drainMs: number;
  /** Whether to take over operations of dead processes. */
  readonly takesUp: boolean;
  /** Lease time: how long an operation stays owned by a process that does not renew it. */
  readonly leaseMs?: number;
  readonly backOff?: BackOff;
  /** Defaults for provisioners of type gardener. Default: none. */
  readonly serviceDefaults?: ServiceDefaults;
  /** Needed for operations on clusters without an engine. Default: the engine waits for clusters. */
  readonly clusters?: ClusterWork;
}

export const LEASE_MS = 30_000;
/** Polling waits for remote answers but needs no CPU, so several run at once. */
export const LOOKS_AT_ONCE = 4;
export const DELIVERIES_AT_ONCE = 2;
export const BACK_OFF: BackOff = { firstMs: 2_000, mostMs: 60_000 };
/** Memory limit of one update, as a multiple of the limit after it: the engine and providers need memory too. */
export const MEMORY_FACTOR = 3;

import type { RuntimeContents } from "../../../engine/runtime/contents";
import type { Result } from "../../../engine/runtime/result";
import type { Request } from "../../../engine/runtime/request/request";
import type { Fault } from "../../../foundation/schema/faults";
import type { PlannedChange } from "../../../engine/update/planned";
import type { Rollout, RolloutOptions, RuntimeJob } from "../../../engine/workers/rollout";
import type { KeptDisk } from "../../../kubernetes/disks/kept";
import type { Checked } from "../../fleet/check";
import type { RuntimeSelection } from "../../fleet/choose";
import type { Summary } from "../../fleet/summary";
import type { Lifetime, Operation } from "../../service/queries";
import type { KubeconfigOptions } from "../options";

/** What only a service knows of a runtime. */
export interface KnownByService {
  readonly tenant: string;
  /** Name of its stack. */
  readonly stack: string;
  readonly revision: number;
  readonly protected: boolean;
  readonly health: { readonly state: string; readonly reason: string | null } | null;
  readonly drift: { readonly changes: readonly object[]; readonly error: string | null } | null;
  readonly lifetime?: Lifetime | null;
  readonly lastOperation: Operation | null;
}

/** A runtime in a list. */
export type Listed = Summary & { readonly service?: KnownByService };

/** A runtime with its outputs, parts and the current state of its objects. */
export type Status = Listed & RuntimeContents & { readonly outputs: Readonly<Record<string, unknown>> };

/** The result of an operation; with `--no-wait`, the operation that has only begun. */
export type RunResult = Result & { readonly operation?: Operation };

/** The result of a preview. */
export type Preview = Result & { readonly plan: readonly PlannedChange[] };

export interface CheckOptions {
  readonly timeoutSeconds: number;
  /** Whether these are all runtimes, so that other resources are orphans. */
  readonly all: boolean;
}

export interface ShownDisks {
  readonly disks: readonly KeptDisk[];
  /** Clusters that could not be read, each with the reason. */
  readonly unseen: readonly string[];
}

/** Disks to delete. */
export interface NamedDisks {
  readonly disks: readonly KeptDisk[];
  remove(): Promise<void>;
}

/** How a verb reaches runtimes: by itself, in the state backend, or through a service. */
export interface Target {
  /** All runtimes, or those of `ids` that exist. */
  list(ids?: readonly string[]): Promise<readonly Listed[]>;
  /** Undefined if there is no such runtime. */
  status(id: string): Promise<Status | undefined>;
  /** Faults of requests for many runtimes that are known before one starts. */
  faultsOf(requests: readonly Request[]): Promise<readonly Fault[]>;
  /** Runs one operation, with its progress on standard error. */
  run(job: RuntimeJob): Promise<RunResult>;
  /** Runs waves of operations one after the other. */
  runAll(waves: readonly (readonly RuntimeJob[])[], options: RolloutOptions): Promise<Rollout>;
  preview(request: Request): Promise<Preview>;
  check(choice: RuntimeSelection, options: CheckOptions): Promise<readonly Checked[]>;
  disks(): Promise<ShownDisks>;
  /** Throws if one of these names is no kept disk, or its deployment is protected. */
  disksNamed(names: readonly string[]): Promise<NamedDisks>;
  kubeconfig(id: string, options: KubeconfigOptions): Promise<{ readonly kubeconfig: string; readonly expires: Date }>;
}

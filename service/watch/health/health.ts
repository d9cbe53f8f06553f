import type { Workspace } from "../../../foundation/pulumi/backend";
import type { Platform } from "../../../components/runtime/platform/platform";
import type { Provisioner } from "../../../components/runtime/types/registry";
import type { HealthRow } from "../../database/watchTables";

export type Health = Pick<HealthRow, "state" | "reason">;

/** A runtime to check. */
export interface MonitoredRuntime {
  /** Name of the stack. */
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly platform: string;
  readonly provisioner: string;
  readonly host: string | null;
  readonly before: HealthRow["state"] | null;
}

/** Shared context of one pass over all runtimes: data that several need is read once. */
export interface HealthContext {
  /** That of the runtimes. */
  readonly workspace: Workspace;
  platformOf(this: void, name: string): Promise<Platform>;
  once<T>(this: void, key: readonly unknown[], read: () => Promise<T>): Promise<T>;
}

/** Checks the health of runtimes on one type of provisioner. */
export type HealthOf<P extends Provisioner = Provisioner> = (
  runtime: MonitoredRuntime,
  provisioner: P,
  looking: HealthContext,
) => Promise<Health>;

export const HEALTHY: Health = { state: "healthy", reason: null };

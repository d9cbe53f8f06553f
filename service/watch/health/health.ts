import type { Platform, Provisioner } from "../../../components/runtime/platform/platform";
import type { HealthRow } from "../../database/watchTables";

export type Health = Pick<HealthRow, "state" | "reason">;

/** A runtime whose health is asked for. */
export interface Looked {
  /** Its stack. */
  readonly id: string;
  readonly name: string;
  readonly tenant: string;
  readonly platform: string;
  readonly provisioner: string;
  readonly host: string | null;
  readonly before: HealthRow["state"] | null;
}

/** What one look at all runtimes shares: what several of them need is read once. */
export interface Looking {
  /** Folder of the runtimes' project. */
  readonly folder: string;
  platformOf(this: void, name: string): Promise<Platform>;
  once<T>(this: void, key: readonly unknown[], read: () => Promise<T>): Promise<T>;
}

/** How the health of runtimes on one type of provisioner is found. */
export type HealthOf<P extends Provisioner = Provisioner> = (
  runtime: Looked,
  provisioner: P,
  looking: Looking,
) => Promise<Health>;

export const HEALTHY: Health = { state: "healthy", reason: null };

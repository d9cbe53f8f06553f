import type { ColumnType, Generated, Selectable } from "kysely";

/* The tables of periodic checks, as the migrations 0004, 0015, 0023 and 0024 create them. */

export interface CapacityTable {
  platform: string;
  provisioner: string;
  slotsUsed: number;
  slotsTotal: number | null;
  level: number;
  checkedAt: Generated<Date>;
}

export type HealthState = "healthy" | "unhealthy" | "unknown";

export interface HealthTable {
  deploymentId: string;
  state: HealthState;
  reason: string | null;
  checkedAt: Generated<Date>;
}

export interface NoticeTable {
  /** A bigint, as text. */
  id: Generated<string>;
  at: Generated<Date>;
  kind: "capacity" | "drift" | "health" | "lifetime";
  level: "info" | "warning";
  tenant: string | null;
  subject: string;
  text: string;
}

/** Triggers keep `usedAt`, `stoppedAt` and `setAt`, except when limits are set. */
export interface LifetimeTable {
  deploymentId: string;
  timeToLive: number | null;
  idleLimit: number | null;
  stoppedRetention: number | null;
  setAt: Date;
  usedAt: Date;
  stoppedAt: Date | null;
  action: "hibernate" | "deprovision" | null;
  dueAt: Date | null;
  actsAt: Date | null;
  announcedAt: Date | null;
  nextAt: Generated<Date | null>;
}

/** An object of a bundle, and what of it was restored. */
export interface RestoredObject {
  /** `Deployment shop/web`. */
  readonly object: string;
  readonly text: string;
}

/** A bundle of a platform that is reconciled. */
export interface BundleTable {
  platform: string;
  urn: string;
  /** `<namespace>/<name>`. */
  name: string;
  everySeconds: number;
  standing: "clean" | "repaired" | "differs" | "busy" | "paused" | "failed" | null;
  reason: string | null;
  /** Number of looks in a row that restored something. */
  streak: Generated<number>;
  /** Number of objects that were restored so far. */
  repairs: Generated<number>;
  /** What was restored last, and when. */
  restored: ColumnType<readonly RestoredObject[], string | undefined, string>;
  restoredAt: Date | null;
  /** Field managers that had set what the last look found different. */
  managers: Generated<readonly string[]>;
  checkedAt: Date | null;
  nextAt: Date;
}

export interface WatchTables {
  bundle: BundleTable;
  capacity: CapacityTable;
  health: HealthTable;
  lifetime: LifetimeTable;
  notice: NoticeTable;
}

export type BundleRow = Selectable<BundleTable>;
export type HealthRow = Selectable<HealthTable>;
export type LifetimeRow = Selectable<LifetimeTable>;
export type NoticeRow = Selectable<NoticeTable>;

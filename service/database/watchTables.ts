import type { Generated, Selectable } from "kysely";

/* The tables of periodic checks, as migration 0004 creates them. */

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
  kind: "capacity" | "drift" | "health";
  level: "info" | "warning";
  tenant: string | null;
  subject: string;
  text: string;
}

export interface WatchTables {
  capacity: CapacityTable;
  health: HealthTable;
  notice: NoticeTable;
}

export type HealthRow = Selectable<HealthTable>;
export type NoticeRow = Selectable<NoticeTable>;

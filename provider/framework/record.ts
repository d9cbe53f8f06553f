/**
 * The input `record` of resources that execute a user's request: the request itself, stored in the state next to its
 * result, and not applied anywhere. A rejected update keeps the old record; an update that has started keeps the new
 * one. So the state never contains a request that was not started.
 */

import { changesBetween } from "../../foundation/pulumi/changes";
import type { InputCheck } from "../../foundation/pulumi/inputCheck";
import { UNKNOWN, type ChangeKind, type Properties } from "../../foundation/pulumi/resource";

/** The member with the time and command of the change. It accompanies a change and is never one itself. */
const CHANGE = "change";

export function checkRecord(check: InputCheck, record: unknown): void {
  if (record === undefined || record === null || record === UNKNOWN) return;
  if (typeof record !== "object" || Array.isArray(record)) check.fail("record", record, "an object");
}

/** Compares two records, ignoring `change`. */
export function recordChanges(old: unknown, next: unknown): Record<string, ChangeKind> {
  return changesBetween({ record: withoutChange(old) }, { record: withoutChange(next) });
}

function withoutChange(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  return Object.fromEntries(Object.entries(record as Properties).filter(([key]) => key !== CHANGE));
}

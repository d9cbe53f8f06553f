/**
 * The input `record` of resources that carry out somebody's request: the request itself, kept in the state beside what was
 * made for it and applied nowhere. An update that is refused keeps the old record, one that began keeps the new one, so
 * the state never claims what nobody has begun.
 */

import { changesBetween } from "./changes";
import type { InputCheck } from "../../foundation/pulumi/inputCheck";
import type { ChangeKind, Properties } from "../../foundation/pulumi/resource";
import { UNKNOWN } from "../../foundation/pulumi/resource";

/** The member that says when and by which command the record changed: it follows a change and never is one. */
const CHANGE = "change";

export function checkRecord(check: InputCheck, record: unknown): void {
  if (record === undefined || record === null || record === UNKNOWN) return;
  if (typeof record !== "object" || Array.isArray(record)) check.fail("record", record, "an object");
}

/** How two records differ, `change` aside. */
export function recordChanges(old: unknown, next: unknown): Record<string, ChangeKind> {
  return changesBetween({ record: withoutChange(old) }, { record: withoutChange(next) });
}

function withoutChange(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  return Object.fromEntries(Object.entries(record as Properties).filter(([key]) => key !== CHANGE));
}

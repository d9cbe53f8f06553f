/**
 * The input `record` of resources that execute a user's request: the request itself, stored in the state next to its
 * result, and not applied anywhere. A rejected update keeps the old record; an update that has started keeps the new
 * one. So the state never contains a request that was not started.
 */

import { changesBetween } from "../../foundation/pulumi/changes";
import type { ChangeKind, Properties } from "../../foundation/pulumi/resource";
import type { InputRule } from "./resourceSchema";

/** The member with the time and command of the change. It accompanies a change and is never one itself. */
const CHANGE = "change";

export const checkRecord: InputRule = (check, record, _inputs, path) => {
  if (typeof record !== "object" || Array.isArray(record)) check.fail(path, record, "an object");
};

/** Compares two records, ignoring `change`. */
export function recordChanges(old: unknown, next: unknown): Record<string, ChangeKind> {
  return changesBetween({ record: withoutChange(old) }, { record: withoutChange(next) });
}

function withoutChange(record: unknown): unknown {
  if (typeof record !== "object" || record === null) return record;
  return Object.fromEntries(Object.entries(record as Properties).filter(([key]) => key !== CHANGE));
}

import { isObject } from "../../foundation/json/isObject";

/** Stands for a value that is not shown. */
export const SECRET = "[secret]";

/** A request as a caller may see it: entries that are marked as secret are there, without their values. Pure. */
export function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (!isObject(value)) return value;
  const shown = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hidden(each)]));
  return value["secret"] === true && "value" in value ? { ...shown, value: SECRET } : shown;
}

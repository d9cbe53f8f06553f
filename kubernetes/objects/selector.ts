/** Label selectors, as text for a query and for matching. */

import { listAt, textAt } from "./objects";
import { isObject } from "../../foundation/json/isObject";

/** `app=acme,tier in (a,b)`; empty for a selector that selects everything. */
export function selectorText(selector: unknown): string {
  if (!isObject(selector)) return "";
  const labels = isObject(selector["matchLabels"]) ? Object.entries(selector["matchLabels"]) : [];
  const parts = labels.map(([key, value]) => `${key}=${String(value)}`);
  for (const expression of listAt(selector, "matchExpressions")) {
    const key = textAt(expression, "key") ?? "";
    const values = Array.isArray(expression["values"]) ? expression["values"].map(String).join(",") : "";
    switch (textAt(expression, "operator") ?? "") {
      case "In":
        parts.push(`${key} in (${values})`);
        break;
      case "NotIn":
        parts.push(`${key} notin (${values})`);
        break;
      case "Exists":
        parts.push(key);
        break;
      case "DoesNotExist":
        parts.push(`!${key}`);
        break;
    }
  }
  return parts.join(",");
}

/** Whether labels match a selector. */
export function selects(selector: unknown, labels: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(selector)) return true;
  const wanted = isObject(selector["matchLabels"]) ? Object.entries(selector["matchLabels"]) : [];
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  return listAt(selector, "matchExpressions").every((expression) => {
    const value = labels[textAt(expression, "key") ?? ""];
    const values: unknown[] = Array.isArray(expression["values"]) ? expression["values"] : [];
    switch (textAt(expression, "operator") ?? "") {
      case "In":
        return values.includes(value);
      case "NotIn":
        return !values.includes(value);
      case "Exists":
        return value !== undefined;
      case "DoesNotExist":
        return value === undefined;
      default:
        return false;
    }
  });
}

// What the status page shows of objects, plans and errors: lists and differences in place of JSON.

import { element } from "./elements.js";

const isObject = (value) => typeof value === "object" && value !== null;
const short = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/** Fields of an object by their path. */
function flattened(value, path = "") {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flattened(inner, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key),
  );
}

/** Fields of an object as a list; without those that are not set. */
export function fields(value, otherwise) {
  const found = flattened(value ?? {}).filter(([path, inner]) => path !== "" && inner !== null);
  if (found.length === 0) return element("p", { class: "quiet" }, otherwise);
  const rows = found.flatMap(([path, inner]) => [element("dt", {}, path), element("dd", {}, short(inner))]);
  return element("dl", {}, ...rows);
}

/** An error as a list of its lines, and what to do about it. */
export function errorOf({ reason, advice }) {
  const [first, ...lines] = reason
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const list = lines.map((line) => element("li", {}, line.replace(/^[-*•] /, "")));
  return element(
    "div",
    { class: "error" },
    element("p", {}, first ?? ""),
    list.length > 0 ? element("ul", {}, ...list) : undefined,
    advice ? element("p", { class: "advice" }, advice) : undefined,
  );
}

const SIGNS = { create: "+", delete: "−", update: "~", replace: "±" };

/** A plan as a difference: one block for each resource, with a line for what goes and one for what comes. */
export function difference({ changes, notes }) {
  const blocks = changes.map(({ action, type, name, properties }) =>
    element(
      "div",
      { class: "change" },
      element("h4", {}, `${SIGNS[action] ?? "~"} ${action} ${type.split(":").at(-1)} ${name}`),
      ...properties.map(({ path, before, after }) =>
        element(
          "div",
          { class: "property" },
          element("code", {}, path),
          before === null || before === undefined ? undefined : element("del", {}, short(before)),
          after === null || after === undefined ? undefined : element("ins", {}, short(after)),
        ),
      ),
    ),
  );
  return element(
    "div",
    {},
    ...(blocks.length > 0 ? blocks : [element("p", {}, "nothing to do")]),
    ...(notes.length > 0 ? [element("ul", {}, ...notes.map((note) => element("li", {}, note)))] : []),
  );
}

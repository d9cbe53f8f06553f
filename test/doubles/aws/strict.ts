import type { InputFailure } from "../../../foundation/pulumi/resource";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import { argumentsOf, nestedOf, type Shape } from "./catalog";

/** Returns faults of a resource's inputs that AWS or its provider would reject. */
export function faultsOf(token: string, inputs: Readonly<Record<string, unknown>>): InputFailure[] {
  return [...shapeFaults(argumentsOf(token), inputs, ""), ...limitFaults(token, inputs)];
}

function shapeFaults(shape: Shape, value: Readonly<Record<string, unknown>>, base: string): InputFailure[] {
  const faults: InputFailure[] = [];
  for (const [key, given] of Object.entries(value)) {
    const property = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (key.startsWith("__") || given === null || given === undefined || given === UNKNOWN) continue;
    if (!property) {
      faults.push({ property: base + key, reason: `unknown; there are ${Object.keys(shape).join(", ")}` });
      continue;
    }
    faults.push(...valueFaults(property.type, given, base + key));
    if (property.values.length > 0 && typeof given === "string" && !property.values.includes(given)) {
      faults.push({ property: base + key, reason: `${given} is none of ${property.values.join(", ")}` });
    }
  }
  for (const [key, { required }] of Object.entries(shape)) {
    if (required && (value[key] === undefined || value[key] === null))
      faults.push({ property: base + key, reason: "required" });
  }
  return faults;
}

function valueFaults(type: string, given: unknown, path: string): InputFailure[] {
  const isList = /\[\]/.test(type);
  if (isList !== Array.isArray(given)) {
    // The types we use have no values that may be a list or a single item.
    return [{ property: path, reason: isList ? "a list is expected" : "no list is expected" }];
  }
  const nested = nestedOf(type);
  const items = Array.isArray(given) ? given : [given];
  return items.flatMap((item: unknown, index) => {
    const at = isList ? `${path}[${index}]` : path;
    if (item === UNKNOWN || item === null) return [];
    if (nested && typeof item === "object") return shapeFaults(nested, item as Record<string, unknown>, `${at}.`);
    const expected = ["string", "number", "boolean"].find((kind) => new RegExp(`Input<${kind}\\b`).test(type));
    const map = /\[key: string\]/.test(type);
    if (map) return typeof item === "object" ? [] : [{ property: at, reason: "a map is expected" }];
    return expected === undefined || typeof item === expected
      ? []
      : [{ property: at, reason: `a ${expected} is expected` }];
  });
}

const LONGEST: Readonly<Record<string, readonly [string, number]>> = {
  "aws:iam/role:Role": ["name", 64],
  "aws:eks/cluster:Cluster": ["name", 100],
  "aws:eks/nodeGroup:NodeGroup": ["nodeGroupNamePrefix", 37],
};

/** Limits that AWS documents. */
function limitFaults(token: string, inputs: Readonly<Record<string, unknown>>): InputFailure[] {
  const faults: InputFailure[] = [];
  const [name = "", most = 0] = LONGEST[token] ?? [];
  const text = inputs[name];
  if (typeof text === "string" && text.length > most) faults.push({ property: name, reason: `longer than ${most}` });
  for (const [key, limit] of [
    ["assumeRolePolicy", 2048],
    ["policy", 10_240],
  ] as const) {
    const document = inputs[key];
    if (typeof document !== "string" || document === UNKNOWN) continue;
    if (document.length > limit) faults.push({ property: key, reason: `longer than ${limit}` });
    if (!/^\{"Version":"2012-10-17","Statement":\[/.test(document))
      faults.push({ property: key, reason: "no policy document" });
  }
  return faults;
}

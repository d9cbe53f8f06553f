import * as z from "zod";
import type { Parse } from "../../contract/decoding";
import { provisionerKeys, provisionerName, provisionerSchema, type ProvisionerInput } from "./schema";
import { isObject } from "../../../foundation/json/isObject";

/**
 * Parses each provisioner separately, so that a fault in one does not hide faults in others. The valid part of a
 * provisioner with faults is returned too, so that its files are checked.
 */
export function parseProvisioners(value: unknown, parse: Parse): Record<string, ProvisionerInput> {
  if (!isObject(value)) {
    parse(provisionerKeys.provisioners, ["provisioners"], value);
    return {};
  }
  const result: [string, ProvisionerInput][] = [];
  for (const [name, entry] of Object.entries(value)) {
    parse(z.record(provisionerName, z.unknown()), ["provisioners"], { [name]: entry });
    const input = parse(provisionerSchema, ["provisioners", name], entry) ?? salvage(entry);
    if (input !== undefined) result.push([name, input]);
  }
  return Object.fromEntries(result);
}

/** Replacements for required fields that are missing or invalid. */
const STAND_INS = { namespace: "x", host: "http://*.x.localhost", image: "x" };

/** A Kubernetes provisioner without its invalid fields; undefined for other types. */
function salvage(entry: unknown): ProvisionerInput | undefined {
  if (!isObject(entry) || entry["type"] !== "kubernetes" || !isObject(entry["spec"])) return undefined;
  const issues = provisionerSchema.safeParse(entry).error?.issues ?? [];
  const wrong = new Set<PropertyKey>();
  for (const issue of issues) {
    const [first, field] = issue.path;
    if (first === "spec" && field !== undefined) wrong.add(field);
    if (first === "spec" && field === undefined && issue.code === "unrecognized_keys")
      issue.keys.forEach((key) => wrong.add(key));
  }
  const right = Object.entries(entry["spec"]).filter(([field]) => !wrong.has(field));
  const result = provisionerSchema.safeParse({
    type: "kubernetes",
    spec: { ...STAND_INS, ...Object.fromEntries(right) },
  });
  return result.data;
}

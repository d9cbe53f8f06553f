import * as z from "zod";
import type { Parse } from "../../contract/decoding";
import { provisionerSchema, typeNamed, type ProvisionerInput } from "../../runtime/types/registry";
import { provisionerName, provisionersSchema } from "./schema";
import { isObject } from "../../../foundation/json/isObject";

/**
 * Parses each provisioner separately, so that a fault in one does not hide faults in others. The valid part of a
 * provisioner with faults is returned too, so that its files are checked.
 */
export function parseProvisioners(value: unknown, parse: Parse): Record<string, ProvisionerInput> {
  if (!isObject(value)) {
    parse(provisionersSchema, ["provisioners"], value);
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

/** A provisioner without its invalid fields; undefined if its type can't do without them. */
function salvage(entry: unknown): ProvisionerInput | undefined {
  const type = isObject(entry) ? typeNamed(entry["type"]) : undefined;
  if (!isObject(entry) || !isObject(entry["spec"]) || type?.standIns === undefined) return undefined;
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
    type: type.type,
    spec: { ...type.standIns, ...Object.fromEntries(right) },
  });
  return result.data;
}

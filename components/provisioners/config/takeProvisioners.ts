import * as z from "zod";
import type { Path } from "../../../foundation/schema/faults";
import { platformShape, provisionerName, provisionerSchema, type ProvisionerInput } from "../../platform/config/schema";
import { isObject } from "../../../foundation/json/isObject";

/** Parses `value`, adds the faults of what is at `path`, and answers undefined when there are any. */
export type Take = <T>(schema: z.ZodType<T>, path: Path, value: unknown) => T | undefined;

/**
 * The provisioners of the set one by one, so that a fault in one does not hide what is wrong with the others. One with
 * faults comes along as far as it is right: its files can be looked at anyway.
 */
export function takeProvisioners(value: unknown, take: Take): Record<string, ProvisionerInput> {
  if (!isObject(value)) {
    take(platformShape.provisioners, ["provisioners"], value);
    return {};
  }
  const taken: [string, ProvisionerInput][] = [];
  for (const [name, entry] of Object.entries(value)) {
    take(z.record(provisionerName, z.unknown()), ["provisioners"], { [name]: entry });
    const input = take(provisionerSchema, ["provisioners", name], entry) ?? salvage(entry);
    if (input !== undefined) taken.push([name, input]);
  }
  return Object.fromEntries(taken);
}

/** Stand for required fields that are missing or wrong. */
const STAND_INS = { namespace: "x", host: "http://*.x.localhost", image: "x" };

/** A Kubernetes provisioner without the fields that are wrong; undefined for anything else. */
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

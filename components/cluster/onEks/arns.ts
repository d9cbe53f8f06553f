import { isObject } from "../../../foundation/json/isObject";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { partitionOf } from "./regions";

/** Faults for ARNs of another partition than the region's: AWS, AWS China and AWS GovCloud know nothing of each other. */
export function partitionFaults(value: unknown, region: string, path: Path): Fault[] {
  if (typeof value === "string") {
    const [, partition] = /^arn:(aws[a-z-]*):/.exec(value) ?? [];
    const expected = partitionOf(region);
    return partition === undefined || partition === expected
      ? []
      : [mismatch(path, `"${value}"`, `an ARN that begins with arn:${expected}:, as the cluster is in ${region}`)];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => partitionFaults(one, region, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => partitionFaults(one, region, [...path, key]));
}

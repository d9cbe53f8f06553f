/** Checks `values.schema.json`: Helm would load its references from the network or from local files. */

import type { BundleFault } from "../../errors";
import { isObject } from "../../../foundation/json/isObject";

export const SCHEMA_FILE = "values.schema.json";

/** Schemas that the validator includes; without a version, the newest one. */
const KNOWN = /^https?:\/\/json-schema\.org\/((draft-0[4-7]|draft\/20(19-09|20-12))\/)?schema#?$/;
const REFERENCES: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

export function schemaFaults(files: ReadonlyMap<string, Buffer>): BundleFault[] {
  return [...files].flatMap(([file, bytes]) =>
    file === SCHEMA_FILE || file.endsWith(`/${SCHEMA_FILE}`) ? faultsOf(file, bytes) : [],
  );
}

function faultsOf(file: string, bytes: Buffer): BundleFault[] {
  let schema: unknown;
  try {
    schema = JSON.parse(bytes.toString("utf8"));
  } catch {
    return [{ file, what: "found text that is no JSON; expected a JSON schema" }];
  }
  const faults: BundleFault[] = [];
  const expected = "expected only references inside of the file; copy into it what it refers to";
  // Not recursive, because the schema may be nested arbitrarily deep.
  const open: unknown[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) open.push(...(value as unknown[]).filter((each) => each !== undefined));
    if (!isObject(value)) continue;
    for (const [key, each] of Object.entries(value)) {
      const outside =
        typeof each === "string" &&
        !KNOWN.test(each) &&
        (REFERENCES.has(key) ? !each.startsWith("#") : key === "$schema");
      if (outside) faults.push({ file, what: `${key}: found ${JSON.stringify(each).slice(0, 200)}; ${expected}` });
      if (typeof each === "object" && each !== null) open.push(each);
    }
  }
  return faults;
}

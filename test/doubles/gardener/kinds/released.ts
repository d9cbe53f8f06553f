/** The fields of a Shoot in a release of Gardener, which `UPDATE_SNAPSHOTS=1 make garden` reads from its API server. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../../../foundation/json/isObject";
import type { Schema } from "./blocks";

export const releasedFile = (version: string): string => join(__dirname, "released", `${version}.json`);

/** The fields of a release, with the rules of `ruled`. Fields that only `ruled` has are not declared. */
export const released = (version: string, ruled: Schema): Schema =>
  merged(JSON.parse(readFileSync(releasedFile(version), "utf8")) as Schema, ruled);

const OPEN = "x-kubernetes-preserve-unknown-fields";

function merged(declared: Schema, ruled: Schema): Schema {
  if (ruled[OPEN] === true) return declared;
  const { properties, items, additionalProperties } = declared;
  return {
    ...declared,
    ...ruled,
    ...(isObject(properties) && { properties: fieldsOf(properties, ruled["properties"]) }),
    ...(isObject(items) && isObject(ruled["items"]) && { items: merged(items, ruled["items"]) }),
    ...(isObject(additionalProperties) && { additionalProperties }),
  };
}

const fieldsOf = (declared: Schema, ruled: unknown): Schema =>
  Object.fromEntries(
    Object.entries(declared).map(([key, schema]) => {
      const rules = isObject(ruled) ? ruled[key] : undefined;
      return [key, isObject(rules) ? merged(schema as Schema, rules) : schema];
    }),
  );

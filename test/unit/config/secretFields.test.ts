import assert from "node:assert/strict";
import * as z from "zod";
import { SOURCES } from "../../../bundles/sources/registry";
import { sourceSchema } from "../../../components/bundleSources";
import { stackFileSchema } from "../../../components/platform/reference/jsonSchema";
import { isGivenElsewhere, isSecretField } from "../../../foundation/schema/secretFields";

/** Names of the fields whose schema `is` accepts, anywhere in a JSON schema. */
function fieldsWhere(schema: unknown, is: (field: Record<string, unknown>) => boolean): Set<string> {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties } = value as { properties?: Record<string, Record<string, unknown>> };
    for (const [name, field] of Object.entries(properties ?? {})) if (is(field)) found.add(name);
    Object.values(value).forEach(walk);
  };
  walk(schema);
  return found;
}

const MARK = "given elsewhere";
const ofSources = fieldsWhere(
  z.toJSONSchema(sourceSchema(z.string().meta({ title: MARK }))),
  ({ title }) => title === MARK,
);

/** Secret by where they stand: as a whole, or in a URL with a password. See isSecretPath. */
const BY_PATH = ["ledger", "url", "charts", "content"];

describe("the names of secret fields", () => {
  it("include all fields of a source that are set separately, and no other field of a source", () => {
    const names = (fields: object): string[] =>
      Object.entries(fields).flatMap(([name, inner]) => (typeof inner === "object" ? names(inner as object) : name));
    const all = Object.values(SOURCES).flatMap(({ fields }) => names(fields));
    assert.ok(ofSources.size >= 7, [...ofSources].join());
    assert.deepEqual([...new Set(all.filter(isGivenElsewhere))].toSorted(), [...ofSources].toSorted());
  });

  it("include all fields that the schema of the stack config marks as secret", () => {
    const secret = fieldsWhere(stackFileSchema(), ({ writeOnly }) => writeOnly === true);
    assert.ok(secret.size >= 3, [...secret].join());
    assert.deepEqual(
      [...secret].filter(
        (name) => !isSecretField(name.replace(/^.*:/, "")) && !BY_PATH.includes(name.replace(/^.*:/, "")),
      ),
      [],
    );
  });
});

import assert from "node:assert/strict";
import * as z from "zod";
import { FORMAT } from "../../../cli/bundle/options";
import { FORMATS as READ } from "../../../bundles/format/formats";
import type { Fields } from "../../../bundles/sources/kind";
import { SOURCES } from "../../../bundles/sources/registry";
import { SOURCE_TYPES, sourceSchema } from "../../../components/bundleSources";
import { FORMAT_NAMES } from "../../../foundation/bundleFormats";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** Paths of all fields. `as` is chosen by the instance in stack config. */
const pathsOf = (fields: Fields): string[] =>
  Object.entries(fields)
    .flatMap(([name, field]) => (typeof field === "object" ? pathsOf(field).map((path) => `${name}.${path}`) : name))
    .filter((path) => !/(^|\.)as$/.test(path));

const pathsIn = ({ properties = {} }: Schema): string[] =>
  Object.entries(properties)
    .filter(([name]) => name !== "type")
    .flatMap(([name, field]) => (field.properties ? pathsIn(field).map((path) => `${name}.${path}`) : name));

describe("the stack config of bundles", () => {
  const schema = z.toJSONSchema(sourceSchema(z.string()), { io: "input" }) as Schema;
  const kinds = schema.oneOf ?? schema.anyOf ?? [];

  it("accepts the source types of the library", () => {
    assert.deepEqual([...SOURCE_TYPES].toSorted(), Object.keys(SOURCES).toSorted());
    assert.deepEqual(
      kinds.map(({ properties }) => properties?.["type"]?.const).toSorted(),
      Object.keys(SOURCES).toSorted(),
    );
  });

  for (const [type, { fields, needed }] of Object.entries(SOURCES)) {
    it(`accepts the fields of a source of type ${type}`, () => {
      const kind = kinds.find(({ properties }) => properties?.["type"]?.const === type);
      assert.ok(kind);
      assert.deepEqual(pathsIn(kind).toSorted(), pathsOf(fields).toSorted());
      assert.deepEqual((kind.required ?? []).filter((name) => name !== "type").toSorted(), needed.toSorted());
    });
  }

  it("has the formats that the library reads", () => {
    for (const [name, format] of READ) assert.equal(format.name, name);
    for (const name of FORMAT_NAMES) assert.ok(FORMAT.includes(name), `the help of commands lacks ${name}`);
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { generated } from "../../../components/platform/reference/generate";
import { keySchemas, requiredKeys } from "../../../components/platform/reference/jsonSchema";
import { decode, GOOD, goodWith } from "./fixtures";

const root = join(__dirname, "../../..");
const text = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the files generated from the schema", () => {
  it("match the committed files; npx tsx components/platform/reference/generate.ts writes them", async () => {
    for (const [path, content] of Object.entries(await generated())) assert.equal(text(path), content, path);
  });

  it("include the schema that editors use for a stack file", () => {
    assert.match(text("Pulumi.dev.yaml"), /^# yaml-language-server: \$schema=\.\/stackyard\.schema\.json\n/);
  });
});

describe("Pulumi.yaml", () => {
  const { config } = load(text("Pulumi.yaml")) as {
    config: Record<string, { type: string; description: string; default?: unknown }>;
  };
  const schemas = keySchemas();

  it("lists every key with the type and the description of the schema", () => {
    const expected = Object.entries(schemas).map(([key, schema]) => [
      key,
      schema.writeOnly
        ? "string"
        : ["string", "array", "boolean"].includes(String(schema.type))
          ? schema.type
          : "object",
      schema.description,
    ]);
    assert.deepEqual(
      Object.entries(config).map(([key, { type, description }]) => [key, type, description]),
      expected,
    );
  });

  it("has a default for exactly the optional keys", () => {
    const without = Object.entries(config).flatMap(([key, entry]) => (Object.hasOwn(entry, "default") ? [] : [key]));
    assert.deepEqual(without.sort(), requiredKeys().sort());
  });

  it("has defaults that are equal to a missing key", () => {
    const bare: Record<string, unknown> = { ...GOOD };
    delete bare["environments"];
    const optional = Object.entries(config).filter(
      ([key, entry]) => Object.hasOwn(entry, "default") && !Object.hasOwn(bare, key),
    );
    const defaults = Object.fromEntries(optional.map(([key, entry]) => [key, entry.default]));
    assert.deepEqual(decode({ ...bare, ...defaults }), decode(bare));
    assert.deepEqual(config["cluster"]?.default, {});
    assert.deepEqual(decode(goodWith({})).slot, config["slot"]?.default);
  });
});

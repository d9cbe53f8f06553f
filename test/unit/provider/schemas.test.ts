import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { classText } from "../../../provider/classes/classText";
import { generated } from "../../../provider/classes/generate";
import { secretsOf } from "../../../provider/framework/resourceSchema";
import { provider } from "../../../provider/main";
import { schema } from "../../../provider/packageSchema";
import { RESOURCES } from "../../../provider/resources/registry";
import { projectRoot } from "../../../toolchain/root";

interface Described {
  readonly properties?: Readonly<Record<string, { readonly $ref?: string; readonly default?: unknown }>>;
  readonly inputProperties?: Described["properties"];
  readonly enum?: readonly { readonly value: string }[];
}

describe("the schema of each resource", () => {
  const all = Object.entries(RESOURCES);

  it("is in the schema of the package", () => {
    assert.deepEqual(
      Object.keys((JSON.parse(schema) as { resources: object }).resources).toSorted(),
      Object.keys(provider.handlers).toSorted(),
    );
  });

  for (const [
    name,
    {
      schema: { inputs, required, ...more },
    },
  ] of all) {
    it(`gives the class ${name} every argument, and marks its secrets in the program`, () => {
      const text = classText(name, { inputs, required, ...more }).replace(/\s+/g, " ");
      for (const key of Object.keys(inputs)) {
        assert.match(text, new RegExp(`readonly ${key}${required.includes(key) ? "" : "\\?"}: `));
      }
      for (const key of secretsOf({ description: "", inputs, required })) {
        assert.match(
          text,
          new RegExp(`\\b${key}: (args\\.${key} === undefined \\? undefined : )?pulumi\\.secret\\(args\\.`),
        );
      }
    });
  }

  it("marks no output of a component as secret, with which the SDK for Java does not compile", () => {
    const text = readFileSync(join(projectRoot(), "provider", "package.schema.json"), "utf8");
    const { resources } = JSON.parse(text) as { resources: Record<string, Described & { isComponent?: boolean }> };
    const components = Object.values(resources).filter(({ isComponent }) => isComponent);
    assert.ok(components.length > 5);
    const marked = components.flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([key, value]) => ("secret" in value ? [key] : [])),
    );
    assert.deepEqual(marked, []);
  });

  it("has every type that the schema of the package refers to, and defaults that their types allow", () => {
    const text = readFileSync(join(projectRoot(), "provider", "package.schema.json"), "utf8");
    const { types, resources } = JSON.parse(text) as Record<"types" | "resources", Record<string, Described>>;
    const used = [...text.matchAll(/"\$ref": "#\/types\/([^"]+)"/g)].map(([, token = ""]) => token);
    assert.deepEqual(
      used.filter((token) => !(token in types)),
      [],
    );
    const fields = [...Object.values(types), ...Object.values(resources)].flatMap(({ properties, inputProperties }) =>
      Object.values({ ...properties, ...inputProperties }),
    );
    const wrong = fields.filter(({ $ref = "", default: preset }) => {
      const values = types[$ref.replace("#/types/", "")]?.enum;
      return preset !== undefined && values?.every(({ value }) => value !== preset);
    });
    assert.deepEqual(wrong, []);
    assert.ok("stackyard:index:RayCluster" in resources && used.length > 100);
  });

  it("has no default of a field of an object, with which the SDK for Node.js makes the whole object unknown", () => {
    const text = readFileSync(join(projectRoot(), "provider", "package.schema.json"), "utf8");
    const { types } = JSON.parse(text) as { types: Record<string, Described> };
    const preset = Object.entries(types).filter(([, { properties = {} }]) =>
      Object.values(properties).some((field) => field.default !== undefined),
    );
    assert.deepEqual(preset, []);
  });

  it("has no guard, registration or identity in the schema for programs", () => {
    const text = readFileSync(join(projectRoot(), "provider", "package.schema.json"), "utf8");
    const { resources } = JSON.parse(text) as { resources: Record<string, { readonly isComponent?: true }> };
    const own = Object.entries(resources).flatMap(([token, { isComponent }]) => (isComponent ? [] : [token]));
    assert.deepEqual(
      own.map((token) => token.replace("stackyard:index:", "")),
      ["StaticPool", "SlotAllocation", "ManifestSet", "BundleRelease", "RayJob", "TerasliceJob"],
    );
  });

  it("matches the committed classes; npm run generate writes them", async () => {
    for (const [file, content] of Object.entries(await generated())) {
      assert.equal(readFileSync(join(projectRoot(), file), "utf8"), content, file);
    }
  });

  it("marks a secret in a list of objects", () => {
    const part = {
      type: "object",
      description: "A part.",
      properties: { key: { type: "string", secret: true } },
    } as const;
    const parts = {
      type: "array",
      plain: true,
      items: { $ref: "#/types/stackyard:index:Part" },
      description: "Parts.",
    };
    const text = classText("Guard", { description: "", inputs: { parts }, required: ["parts"], types: { Part: part } });
    assert.match(text, /parts: args\.parts\.map\(\(each\) => \(\{ \.\.\.each, key: each\.key === undefined/);
  });

  it("adds nothing to the package schema that is only for the class", () => {
    assert.doesNotMatch(schema, /"class":/);
    assert.match(schema, /"stackyard:index:Taker":/);
  });

  it("has the same secrets as its handler", async () => {
    for (const [name, { schema: resource }] of all) {
      const handler = await provider.handlers[`stackyard:index:${name}`]!();
      const expected = secretsOf(resource);
      assert.deepEqual([...new Set(handler.secretProperties)].toSorted(), expected.toSorted(), name);
    }
  });
});

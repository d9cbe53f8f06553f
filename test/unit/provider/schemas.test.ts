import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { secretsOf, type ResourceSchema } from "../../../provider/framework/resourceSchema";
import { provider } from "../../../provider/main";
import { RESOURCES, schema } from "../../../provider/schema";
import { projectRoot } from "../../../toolchain/root";

const classFile = (name: string): string => {
  const file = `${name[0]!.toLowerCase()}${name.slice(1)}.ts`;
  const folders = ["components/resources", "components/resources/gardener"];
  const found = folders.map((folder) => join(projectRoot(), folder, file)).find(existsSync);
  return readFileSync(found ?? file, "utf8");
};

/** Names of the fields of an interface, and whether each may be missing. */
function fieldsOf(text: string, name: string): Map<string, boolean> {
  const body = new RegExp(`export interface ${name}Args \\{\\n([\\s\\S]*?)\\n\\}`).exec(text)?.[1];
  assert.ok(body !== undefined, `no interface ${name}Args`);
  return new Map(
    [...body.matchAll(/^ {2}readonly (\w+)(\?)?:/gm)].map(([, field = "", optional]) => [field, optional === "?"]),
  );
}

describe("the schema of each resource", () => {
  const all = Object.entries(RESOURCES) as [string, ResourceSchema][];

  it("is there for every resource that the provider has, and for no other", () => {
    assert.deepEqual(
      all.map(([name]) => `stackyard:index:${name}`).toSorted(),
      Object.keys(provider.handlers).toSorted(),
    );
    assert.deepEqual(
      Object.keys((JSON.parse(schema) as { resources: object }).resources).toSorted(),
      Object.keys(provider.handlers).toSorted(),
    );
  });

  for (const [name, { inputs, required }] of all) {
    it(`has the fields of the class ${name}`, () => {
      const fields = fieldsOf(classFile(name), name);
      assert.deepEqual([...fields.keys()].toSorted(), Object.keys(inputs).toSorted());
      const needed = [...fields].flatMap(([field, isOptional]) => (isOptional ? [] : field));
      assert.deepEqual(needed.toSorted(), required.toSorted());
    });

    it(`has the secrets of the class ${name}`, () => {
      const text = classFile(name);
      const wrapped = [
        ...text.matchAll(
          /^\s*(\w+): (?:\w+\.\w+ === undefined \? undefined : )?pulumi\.secret\(\w+\.|\{ \.\.\.args, (\w+): pulumi\.secret/gm,
        ),
      ];
      const inputSecrets = secretsOf({ description: "", inputs, required });
      assert.deepEqual(wrapped.map(([, a, b]) => a ?? b).toSorted(), inputSecrets.toSorted());
    });
  }

  it("is what its handler keeps secret", async () => {
    for (const [name, resource] of all) {
      const handler = await provider.handlers[`stackyard:index:${name}`]!();
      const expected = secretsOf(resource);
      assert.deepEqual([...new Set(handler.secretProperties)].toSorted(), expected.toSorted(), name);
    }
  });
});

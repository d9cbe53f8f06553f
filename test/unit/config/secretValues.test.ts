import assert from "node:assert/strict";
import * as z from "zod";
import { hasSecretEntries } from "../../../components/runtime/request/kyma/schema";
import { hasSecretValues, hideSecretValues } from "../../../engine/stack/secretValues";
import { mapSecrets, secretPaths, secretWhere } from "../../../foundation/schema/secretValues";

const schema = z.object({
  open: z.string(),
  token: z.string().meta({ writeOnly: true }).optional(),
  entries: z.array(z.object({ value: secretWhere("secret", z.string()).describe("It."), secret: z.boolean() })),
  named: z.record(z.string(), z.object({ token: z.string().meta({ writeOnly: true }) })).default({}),
  either: z.union([z.object({ key: z.string().meta({ writeOnly: true }) }), z.object({ key: z.string() })]).nullable(),
});

describe("secret values of a document", () => {
  it("are found only where the schema marks them", () => {
    const value = {
      open: "a",
      token: "b",
      entries: [
        { value: "c", secret: false },
        { value: "d", secret: true },
      ],
      named: { one: { token: "e" }, two: { token: "f" } },
      either: { key: "g" },
      unknown: { token: "h" },
    };
    assert.deepEqual(secretPaths(schema, value), [
      ["token"],
      ["entries", 1, "value"],
      ["named", "one", "token"],
      ["named", "two", "token"],
      ["either", "key"],
    ]);
    const before = structuredClone(value);
    const mapped = mapSecrets(schema, value, (secret) => `<${String(secret)}>`);
    assert.deepEqual(value, before);
    assert.equal(JSON.stringify(mapped).replace(/[<>]/g, ""), JSON.stringify(value));
    assert.equal(mapped.entries[1]?.value, "<d>");
    assert.equal(mapped.entries[0]?.value, "c");
  });

  it("are not searched in a document that does not match its schema", () => {
    for (const wrong of [null, 1, "text", [], { entries: {} }, { entries: [1, null] }, { named: [] }, { either: 1 }]) {
      assert.deepEqual(secretPaths(schema, wrong), []);
    }
  });

  it("include the marked entries of Kyma in a deployment, for all components and for one", () => {
    const entry = (value: string, secret?: boolean) => ({ key: "a.b", value, ...(secret !== undefined && { secret }) });
    const kyma = {
      version: "2.20.0",
      configuration: [entry("open"), entry("hush", true)],
      components: [{ component: "one", namespace: "n", configuration: [entry("still", true), entry("shown", false)] }],
    };
    assert.ok(hasSecretEntries(kyma));
    assert.ok(!hasSecretEntries({ version: "1", configuration: [entry("open")] }));
    assert.ok(hasSecretValues({ deployment: { kyma } }));
    assert.ok(!hasSecretValues({ deployment: { version: "1" } }));
    const shown = JSON.stringify(hideSecretValues({ deployment: { kyma } }));
    assert.doesNotMatch(shown, /hush|still/);
    assert.match(shown, /open.*\[secret\].*\[secret\].*shown/);
  });
});

import assert from "node:assert/strict";
import * as z from "zod";
import { hasSecretEntries } from "../../../components/runtime/request/kyma/schema";
import { hasSecretValues, hideSecretValues } from "../../../engine/stack/secretValues";
import {
  concealed,
  divideSecrets,
  isSecretAt,
  mapSecrets,
  plainSecrets,
  secret,
  secretPaths,
  secretWhere,
} from "../../../foundation/schema/secretValues";

const schema = z.object({
  open: z.string(),
  token: secret(z.string()).optional(),
  entries: z.array(z.object({ value: secretWhere("secret", z.string()).describe("It."), secret: z.boolean() })),
  named: z.record(z.string(), z.object({ token: secret(z.string()) })).default({}),
  either: z.union([z.object({ key: secret(z.string()) }), z.object({ key: z.string() })]).nullable(),
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

  it("are found behind what a schema does with them first", () => {
    const wrapped = z.object({
      a: z.preprocess((value) => value, z.object({ pin: secret(z.string()) })),
      b: secret(z.object({ deep: z.string() })).optional(),
      c: z.lazy(() => secret(z.string())),
      d: z.array(secret(z.string())),
    });
    const value = { a: { pin: "1" }, b: { deep: "2" }, c: "3", d: ["4"] };
    assert.deepEqual(secretPaths(wrapped, value), [["a", "pin"], ["b"], ["c"], ["d", 0]]);
    assert.deepEqual(plainSecrets(wrapped, value), [["a", "pin"], ["b", "deep"], ["c"], ["d", 0]]);
  });

  it("must be encrypted unless their schema says that this one may be plain", () => {
    const url = secret(z.string(), { mayBePlain: (text) => !text.includes("@") }).optional();
    assert.deepEqual(plainSecrets(z.object({ url, pin: secret(z.string()) }), { url: "a@b", pin: 5 }), [["url"]]);
    assert.deepEqual(plainSecrets(z.object({ url }), { url: "b" }), []);
  });

  it("are hidden at their place, and where a text stands for the object that they belong into", () => {
    const place = z.object({
      auth: z.strictObject({ user: z.string(), apiKey: secret(z.string()) }).optional(),
      file: z.union([secret(z.string()), z.strictObject({ path: z.string() })]),
      reference: concealed(z.strictObject({ name: z.string() })),
      entry: z.object({ value: secretWhere("secret", z.string()), secret: z.boolean() }),
      open: z.looseObject({ known: z.string(), values: z.record(z.string(), z.unknown()) }),
    });
    const hidden = (...path: (string | number)[]): boolean => isSecretAt(place, path);
    for (const path of [
      ["auth"],
      ["auth", "apiKey"],
      ["auth", "apiKey", "x"],
      ["auth", "other"],
      ["file"],
      ["entry", "value"],
    ])
      assert.ok(hidden(...path), path.join("."));
    for (const path of [["auth", "user"], ["file", "path"], ["reference", "name"], ["entry", "secret"], ["open"]])
      assert.ok(!hidden(...path), path.join("."));
    assert.ok(hidden("reference"));
    // No schema knows these, so their names decide.
    assert.ok(hidden("open", "values", "hub", "client_secret") && hidden("open", "apiKey"));
    assert.ok(!hidden("open", "values", "hub", "replicas") && !hidden("open", "other"));
  });

  it("are separated from the others, a list as a whole", () => {
    const parts = z.object({
      url: z.string(),
      auth: z.object({ user: z.string().optional(), apiKey: secret(z.string()) }),
      list: z.array(z.object({ pin: secret(z.string()).optional() })),
      empty: z.object({}),
    });
    const list = [{}, { pin: "1" }];
    assert.deepEqual(divideSecrets(parts, { url: "a", auth: { user: undefined, apiKey: "b" }, list, empty: {} }), {
      open: { url: "a" },
      secret: { auth: { apiKey: "b" }, list },
    });
    assert.deepEqual(divideSecrets(parts, { url: "a", list: [{}] }), { open: { url: "a", list: [{}] }, secret: {} });
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

import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inspect } from "../../../cli/bundle/inspect";
import { readValues } from "../../../cli/bundle/valuesFile";
import type { Context } from "../../../cli/context";
import { Failure, UsageError } from "../../../cli/errors";
import { checkRelease } from "../../../provider/bundles/release/check";
import { mergeValues } from "../../../provider/bundles/values/merge";
import { UNKNOWN } from "../../../provider/framework/resource";
import type { Properties } from "../../../provider/framework/resource";
import { configMap, temporaryFolder, write } from "./samples";

describe("Values of a bundle", () => {
  const folder = temporaryFolder();
  const read = async (...texts: string[]): ReturnType<typeof readValues> => {
    await write(folder(), Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text])));
    return readValues(texts.map((_, index) => join(folder(), `${index}.yaml`)));
  };
  const refused = (work: Promise<unknown>, expected: RegExp): Promise<void> =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof Failure, (error as Error).stack);
      assert.match(error.message, expected);
      assert.doesNotMatch(error.message, /s3cret/);
      return true;
    });

  it("are laid over each other, objects key by key, and anything else as a whole", async () => {
    const first = "image: { tag: v1, name: web }\nhosts: [a, b]\nextra: 1\n";
    const second = "image: { tag: v2 }\nhosts: [c]\nextra: null\n";
    assert.deepEqual(await read(first, second), { image: { tag: "v2", name: "web" }, hosts: ["c"], extra: null });
    assert.deepEqual(await read("# nothing\n", "null\n"), {});
  });

  it("never change what they are merged from, whatever their keys are called", () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (one, other) => {
        const before = JSON.stringify([one, other]);
        const merged = mergeValues(one, other);
        assert.equal(JSON.stringify([one, other]), before);
        for (const key of [...Object.keys(one), ...Object.keys(other)]) assert.ok(Object.hasOwn(merged, key), key);
        assert.deepEqual(mergeValues(merged, other), merged);
      }),
    );
    const evil = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    assert.ok(Object.hasOwn(mergeValues({}, evil), "__proto__"));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  it("are one object in YAML or JSON; no message quotes them", async () => {
    assert.deepEqual(await read('{"a": 1}'), { a: 1 });
    await refused(read("s3cret"), /0\.yaml: found no object; expected values/);
    await refused(read("a: 1\n---\nb: s3cret\n"), /0\.yaml: found 2 documents; expected one/);
    await refused(read("a: 1\nb: [s3cret\n"), /0\.yaml:3: found what is no YAML/);
    await refused(readValues([join(folder(), "none.yaml")]), /none\.yaml can't be read: ENOENT/);
  });

  it("are refused for a format that takes none, on the command line and in a release", async () => {
    await write(folder(), { "plain/manifests/a.yaml": configMap("a"), "v.yaml": "password: s3cret\n" });
    const context = { print: () => undefined } as unknown as Context;
    const plain = join(folder(), "plain");
    await assert.rejects(inspect(context, [plain], { values: [join(folder(), "v.yaml")] }), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /^--values: found values; expected none: the format plain\+v0 takes none/);
      return true;
    });
    const check = async (more: Properties): Promise<string[]> => {
      const release = { cluster: "x", name: "a", namespace: "a", sources: [{ type: "local", path: plain }], ...more };
      const { failures } = await checkRelease(release, { signal: new AbortController().signal, log: assert.fail });
      return failures.map(({ property, reason }) => `${property}: ${reason}`);
    };
    for (const key of ["values", "secretValues"]) {
      const [fault = "", ...others] = await check({ [key]: { password: "s3cret" } });
      assert.deepEqual(others, []);
      assert.match(fault, new RegExp(`^${key}: found values; expected none`));
      assert.deepEqual(await check({ [key]: "s3cret" }), [`${key}: found something else; expected an object`]);
      assert.deepEqual(await check({ [key]: {} }), []);
      assert.deepEqual(await check({ [key]: UNKNOWN }), []);
    }
  });
});

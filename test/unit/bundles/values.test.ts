import assert from "node:assert/strict";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { inspect } from "../../../cli/bundle/inspect";
import { readValues } from "../../../cli/bundle/source/open";
import type { Context } from "../../../cli/context";
import { Failure, UsageError } from "../../../foundation/errors";
import { approvalStatus } from "../../../bundles/approvals/status";
import { subjectDigest } from "../../../bundles/approvals/subject";
import { NOTHING } from "../../../bundles/permissions/asks";
import { checkRelease } from "../../../provider/resources/bundleRelease/check";
import { secretMask } from "../../../provider/resources/bundleRelease/hidden";
import { mergeValues } from "../../../foundation/json/merge";
import { UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Properties } from "../../../foundation/pulumi/resource";
import { configMap, temporaryFolder, write } from "./samples";

describe("the values of a bundle", () => {
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

  it("are merged key by key if they are objects, and replaced as a whole otherwise", async () => {
    const first = "image: { tag: v1, name: web }\nhosts: [a, b]\nextra: 1\n";
    const second = "image: { tag: v2 }\nhosts: [c]\nextra: null\n";
    assert.deepEqual(await read(first, second), { image: { tag: "v2", name: "web" }, hosts: ["c"], extra: null });
    assert.deepEqual(await read("# nothing\n", "null\n"), {});
  });

  it("are never changed by a merge, whatever their keys are", () => {
    fc.assert(
      fc.property(fc.object(), fc.object(), (one, other) => {
        const before = JSON.stringify([one, other]);
        const merged = mergeValues(one, other);
        assert.equal(JSON.stringify([one, other]), before);
        for (const key of [...Object.keys(one), ...Object.keys(other)]) assert.ok(Object.hasOwn(merged, key), key);
        assert.deepEqual(mergeValues(merged, other), merged);
      }),
    );
    const bare = (value: object): object => Object.assign(Object.create(null) as object, value);
    assert.deepEqual(mergeValues({ a: bare({ b: 1 }) }, { a: { c: 2 } }, { a: bare({ b: null }) }), {
      a: { b: null, c: 2 },
    });
    const output = pulumi.output({ b: 1 });
    assert.equal(mergeValues({ a: { b: 2 } }, { a: output })["a"], output);
    const evil = JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, unknown>;
    assert.ok(Object.hasOwn(mergeValues({}, evil), "__proto__"));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  it("are one object in YAML or JSON, which no error quotes", async () => {
    assert.deepEqual(await read('{"a": 1}'), { a: 1 });
    await refused(read("s3cret"), /0\.yaml: found no object; expected values/);
    await refused(read("a: 1\n---\nb: s3cret\n"), /0\.yaml: found 2 documents; expected one/);
    await refused(read("a: 1\nb: [s3cret\n"), /0\.yaml:3: found what is no YAML/);
    await refused(read("a: 12345678901234567890123\n"), /0\.yaml: found a number that is too large to be kept exactly/);
    await refused(readValues([join(folder(), "none.yaml")]), /none\.yaml can't be read: ENOENT/);
  });

  it("are rejected for a format without values, on the command line and in a release", async () => {
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

describe("the secret values of a release", () => {
  const hide = secretMask({
    secretValues: { a: "s3cret", b: { c: ["two\nlines-of-key"], pin: 7, port: 12345 }, d: "" },
  });

  it("are hidden in any text, even if they are encoded", () => {
    assert.equal(hide("x s3cret y"), "x [secret] y");
    assert.equal(hide(`is ${Buffer.from("s3cret").toString("base64")}`), "is [secret]");
    assert.equal(hide("lines-of-key and 12345"), "[secret] and [secret]");
    assert.equal(hide(JSON.stringify("two\nlines-of-key")), '"[secret]"');
  });

  it("are hidden only as whole words if they are short", () => {
    assert.equal(hide("port: 7, at 17:07 v1.7.0"), "port: [secret], at 17:07 v1.7.0");
    assert.equal(secretMask({}, undefined)("7 s3cret"), "7 s3cret");
  });
});

describe("the subject of an approval", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const place = { namespace: "shop", name: "web" };

  it("is the content without values, and differs for each set of values", () => {
    assert.equal(subjectDigest(digest, {}, place), digest);
    const found = [{ a: 1 }, { a: 2 }, { a: null }].map((values) => subjectDigest(digest, values, place));
    assert.equal(new Set([digest, ...found]).size, 4);
    assert.match(found[0] ?? "", /^sha256:[0-9a-f]{64}$/);
    assert.equal(subjectDigest(digest, { a: 1, b: 2 }, place), subjectDigest(digest, { b: 2, a: 1 }, place));
    assert.notEqual(subjectDigest(digest, { a: 1 }, { ...place, name: "other" }), found[0]);
  });

  it("is denied with any values if its content was denied", () => {
    const decided = { bundle: place, digest, decision: "Denied", by: "ada", when: new Date(), asks: NOTHING } as const;
    const subject = subjectDigest(digest, { a: 1 }, place);
    assert.equal(approvalStatus([decided], subject, NOTHING, "more", digest).state, "denied");
    const approved = { ...decided, digest: subject, decision: "Approved" } as const;
    assert.equal(approvalStatus([decided, approved], subject, NOTHING, "more", digest).state, "denied");
    assert.equal(approvalStatus([approved], subject, NOTHING, "always", digest).state, "approved");
    assert.equal(
      approvalStatus([approved], subjectDigest(digest, { a: 2 }, place), NOTHING, "always", digest).state,
      "open",
    );
  });
});

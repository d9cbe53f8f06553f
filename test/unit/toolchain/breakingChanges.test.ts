import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { breakingChanges, promisesOf, releasedFile, unnamed } from "../../../toolchain/release/breakingChanges";
import type { Released } from "../../../toolchain/release/breakingChanges";
import { projectRoot } from "../../../toolchain/root";

type Schema = Parameters<typeof promisesOf>[0];

const text = { type: "string" } as const;

/** A resource `Hub` with these arguments and outputs, and what they refer to. */
const hub = (inputProperties: object, more: object = {}, types: object = {}): Schema =>
  ({ types, resources: { "acme:index:Hub": { inputProperties, ...more } } }) as Schema;
const changes = (before: Schema, after: Schema): object => breakingChanges(promisesOf(before), promisesOf(after));

const ref = (name: string): object => ({ $ref: `#/types/acme:index:${name}` });
const words = (...values: string[]): object => ({ Mode: { enum: values.map((value) => ({ value })) } });
const typesOf = (types: object): object =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [`acme:index:${name}`, type as object]));
const modes = (...values: string[]): Schema => hub({ mode: ref("Mode") }, {}, typesOf(words(...values)));
const sources = (...names: string[]): Schema =>
  hub(
    { sources: { type: "array", items: { oneOf: names.map(ref) } } },
    {},
    typesOf(Object.fromEntries(names.map((name) => [name, { properties: { at: text }, required: ["at"] }]))),
  );
const nested = (required: string[], ...keys: string[]): Schema =>
  hub(
    { pools: { type: "object", additionalProperties: ref("Pool") } },
    {},
    typesOf({ Pool: { properties: Object.fromEntries(keys.map((key) => [key, text])), required } }),
  );

describe("changes of the package's schema", () => {
  const breaking: readonly (readonly [what: string, before: Schema, after: Schema, expected: object])[] = [
    ["a resource that is gone", hub({ a: text }), { types: {}, resources: {} }, { Hub: "was removed" }],
    ["an argument that is gone, with its parts", nested([], "a"), hub({}), { "Hub(pools)": "was removed" }],
    ["a part that is gone", nested([], "a", "b"), nested([], "a"), { "Hub(pools).*.b": "was removed" }],
    [
      "an argument of another type",
      hub({ a: text }),
      hub({ a: { type: "number" } }),
      { "Hub(a)": "was string, and is number" },
    ],
    ["a word that is gone", modes("x", "y"), modes("y", "z"), { "Hub(mode)": 'was "x" | "y", and is "y" | "z"' }],
    [
      "an argument that becomes required",
      hub({ a: text }),
      hub({ a: text }, { requiredInputs: ["a"] }),
      { "Hub(a)": "is required" },
    ],
    [
      "a new argument that is required",
      hub({}),
      hub({ a: text }, { requiredInputs: ["a"] }),
      { "Hub(a)": "is new and required" },
    ],
    [
      "a new part that is required",
      nested([], "a"),
      nested(["b"], "a", "b"),
      { "Hub(pools).*.b": "is new and required" },
    ],
    [
      "another default",
      hub({ a: { ...text, default: "x" } }),
      hub({ a: { ...text, default: "y" } }),
      { "Hub(a)": 'has the default "y", which was "x"' },
    ],
    [
      "an output that may be missing",
      hub({}, { properties: { a: text }, required: ["a"] }),
      hub({}, { properties: { a: text } }),
      { "Hub.a": "may be missing" },
    ],
    [
      "an output with more types",
      hub({}, { properties: { a: ref("Mode") } }, typesOf(words("x"))),
      hub({}, { properties: { a: ref("Mode") } }, typesOf(words("x", "y"))),
      { "Hub.a": 'was "x", and is "x" | "y"' },
    ],
  ];
  for (const [what, before, after, expected] of breaking) {
    it(`break programs: ${what}`, () => assert.deepEqual(changes(before, after), expected));
  }

  it("break no program if something is added or accepts more", () => {
    const more: readonly (readonly [Schema, Schema])[] = [
      [
        hub({ a: text }, { requiredInputs: ["a"] }),
        hub({ a: text, b: text }, { properties: { c: text }, required: ["c"] }),
      ],
      [modes("x"), modes("x", "y")],
      [sources("Git"), sources("Git", "Image")],
      [nested(["a"], "a"), nested([], "a", "b")],
    ];
    for (const [before, after] of more) assert.deepEqual(changes(before, after), {});
  });

  it("are named in the changelog by an item with the resource and the key", () => {
    const changelog =
      "# Changelog\n\n## [Unreleased]\n\n- `Hub` has no\n  `a` any more.\n- `Hub`.\n- `b`.\n\n## [1.0.0]\n\n- `Hub`: `c`.\n";
    const removed = Object.fromEntries(
      ["Hub(p).*|X.a", "Hub(a).*", "Hub(b)", "Hub(c)", "Hub"].map((path) => [path, "was removed"]),
    );
    assert.deepEqual(unnamed(removed, changelog), ["Hub(b) was removed", "Hub(c) was removed"]);
  });

  it("since the last release break only what CHANGELOG.md names", () => {
    const read = (file: string): string => readFileSync(join(projectRoot(), file), "utf8");
    const changelog = read("CHANGELOG.md");
    const { version, promises } = JSON.parse(readFileSync(releasedFile(), "utf8")) as Released;
    const [, last] = /^## \[(\d[^\]]*)\] - /m.exec(changelog) ?? [];
    assert.equal(version, last, "a release records its schema: npx tsx toolchain/release/breakingChanges.ts");
    const now = promisesOf(JSON.parse(read("provider/package.schema.json")) as Schema);
    assert.ok(Object.keys(now).length > 1_000);
    assert.deepEqual(unnamed(breakingChanges(promises, now), changelog), []);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { FormatError } from "../../../bundles/errors";
import { readManifests } from "../../../bundles/format/manifests";
import { LIMITS } from "../../../bundles/limits";
import { configMap, treeOf } from "./samples";

const read = (text: string) => readManifests(treeOf({ "manifests/a.yaml": text }));

/** What is wrong, as a person reads it. */
const reported = (text: string): string => new FormatError("plain+v0", read(text).faults).message;

/** Levels of which each has `wide` times what is in the one below. */
const bomb = (wide: number, levels: number, mapping: boolean): string => {
  const level = (i: number): string => {
    const aliases = Array<string>(wide).fill(`*l${i}`);
    return mapping ? `{${aliases.map((alias, at) => `k${at}: ${alias}`).join(", ")}}` : `[${aliases.join(", ")}]`;
  };
  return ["l0: &l0 [x]", ...Array.from({ length: levels }, (_, i) => `l${i + 1}: &l${i + 1} ${level(i)}`)].join("\n");
};

const merges = (keys: number, times: number): string => {
  const base = Array.from({ length: keys }, (_, i) => `  k${i}: 1\n`).join("");
  return `b: &b\n${base}${Array.from({ length: times }, (_, i) => `m${i}:\n  <<: *b\n`).join("")}`;
};

describe("a hostile manifest", () => {
  const many = fc.integer({ min: 1, max: 400 });
  const deep = fc.integer({ min: 101, max: 30_000 });
  const hostile = fc.oneof(
    fc
      .tuple(fc.integer({ min: 10, max: 30 }), fc.integer({ min: 6, max: 30 }), fc.boolean())
      .map(([wide, levels, mapping]) => bomb(wide, levels, mapping)),
    fc
      .tuple(fc.constantFrom("[", "{a: ", "- ", "? ", "{? ", "[{a: "), deep)
      .map(([open, times]) => `a:\n  ${open.repeat(times)}`),
    deep.map((depth) => Array.from({ length: Math.min(depth, 2000) }, (_, i) => `${" ".repeat(i)}a:\n`).join("")),
    fc.tuple(fc.integer({ min: 200, max: 2000 }), fc.integer({ min: 60, max: 900 })).map(([k, t]) => merges(k, t)),
    many.map(
      (keys) =>
        `b: &b {${Array.from({ length: keys }, (_, i) => `k${i}: 1`).join(", ")}}\na:\n  <<: [${"*b, ".repeat(900)}]`,
    ),
    many.map((times) => `a: &a\n  ${"b: &b\n    ".repeat(1)}c: [${"*a, ".repeat(times)}]`),
    fc.constantFrom("9", "07", "1_", "0x1f").map((digits) => `a: ${digits.repeat(50_000)}`),
    many.map((times) => `a: ${"!!binary ".repeat(1)}${"QUJD".repeat(times)}`),
    many.map((times) => `${"a: 1\n".repeat(times + 1)}`),
    many.map((times) => `a: *nobody${"x".repeat(times * 100)}`),
  );

  it("is read if it has many lines without indentation, up to a limit", () => {
    const lines = (depth: number): string =>
      `${configMap("a")}data:\n${" ".repeat(depth)}a: [\n${"x,\n".repeat(100_000)}]\n`;
    assert.deepEqual(read(lines(2)).faults, []);
    assert.match(reported(lines(900)), /manifests\/a\.yaml:\d+ \(document 1\): .*deficient indentation/);
  });

  it("is rejected or bounded, with a short error", () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, alone) => {
        const message = reported(alone ? text : `${configMap("good")}---\n${text}\n---\n${configMap("better")}`);
        assert.match(message, /manifests\/a\.yaml:\d+ \(document \d\)/);
        assert.ok(message.length < 2000, `${message.length} characters`);
      }),
      { numRuns: 120 },
    );
  }).timeout(60_000);

  // Without a bound on all documents together it takes minutes.
  it("must not exceed the limits across all its documents", () => {
    assert.match(
      reported(
        Array<string>(2000)
          .fill(bomb(9, 9, false))
          .join("\n---\n"),
      ),
      /1000000 values once its aliases are/,
    );
    assert.match(
      reported(
        Array<string>(20)
          .fill(bomb(9, 7, false))
          .join("\n---\n"),
      ),
      /8000000 values in all documents/,
    );
    assert.match(reported(merges(200, 900).concat("\n---\n").repeat(1000)), /maxTotalMergeKeys/);
  }).timeout(60_000);

  it("is rejected if it has too many documents", () => {
    const nulls = read(`${"--- null\n".repeat(LIMITS.documents + 1)}`);
    assert.deepEqual(
      nulls.faults.map(({ what }) => what),
      ["found more than 30000 documents; split the bundle"],
    );
  }).timeout(30_000);
});

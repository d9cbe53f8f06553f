import assert from "node:assert/strict";
import { join } from "node:path";
import { isGenerated, readSources, sourceFiles } from "../../../toolchain/check/importGraph";
import { roomOf } from "./circles";

const root = join(__dirname, "..", "..", "..");

/** Names that more than two files still declare. It only gets shorter. */
const COMMON: readonly string[] = ["chartValues", "imagesOf", "originOf", "placedPods"];

/** An exported type, class or function. */
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:(?:interface|type|class|function\*?) (\w+)|const (\w+)(?:: [^=\n]+)? =\s*(?:async )?(?:<|\(|\w+ =>))/gm;

const declaredIn = (text: string): string[] => [
  ...new Set([...text.matchAll(DECLARED)].map(([, name, constant]) => name ?? constant ?? "")),
];

const places = new Map<string, string[]>();
for (const [file, text] of readSources(
  root,
  sourceFiles(root).filter((each) => !["test", "bench", "docs"].includes(roomOf(each))),
)) {
  if (isGenerated(text)) continue;
  for (const name of declaredIn(text)) places.set(name, [...(places.get(name) ?? []), file]);
}

describe("an exported name", () => {
  it("is declared in at most two files", () => {
    const many = [...places].filter(([, files]) => files.length > 2);
    assert.deepEqual(
      many.filter(([name]) => !COMMON.includes(name)),
      [],
    );
    assert.deepEqual(
      COMMON.filter((name) => !many.some(([each]) => each === name)),
      [],
      "these are not common any more: remove them from the list",
    );
    assert.ok(places.size > 3000, `found only ${places.size} names`);
  });

  it("is found in every form of a declaration", () => {
    const text = [
      "export interface A {}",
      "export type B = 1;",
      "export abstract class C {}",
      "export async function d() {}",
      "export const e = async () => 1;",
      "export const f =\n  <T>(x: T) => x;",
      "export const g: Look = (x) => x;",
      "export const NO_FUNCTION = 1;",
      "const inner = () => 1;",
    ].join("\n");
    assert.deepEqual(declaredIn(text), ["A", "B", "C", "d", "e", "f", "g"]);
  });
});

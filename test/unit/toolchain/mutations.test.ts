import assert from "node:assert/strict";
import { mutantsOf, mutated, sample } from "../../../toolchain/check/mutations/mutants";
import { importersIn, nearestTests } from "../../../toolchain/check/mutations/nearest";
import { seededRandom } from "../../../toolchain/tests/random";

const changesOf = (text: string): string[] =>
  mutantsOf("a.ts", text).map(({ line, before, after }) => `${line}: ${before} → ${after}`);

describe("the mutations of a source file", () => {
  it("changes operators, negations, booleans, numbers and conditions", () => {
    const text = [
      "if (isOpen) close();",
      "const a = b === c && !d;",
      "const most = e < 5 ? 1_000 : f;",
      "wait(true);",
      "while (queue.next()) step();",
    ].join("\n");
    assert.deepEqual(changesOf(text), [
      "1: isOpen → !(isOpen)",
      "2: && → ||",
      "2: === → !==",
      "2: !d → !!d",
      "3: < → <=",
      "3: 5 → (5 + 1)",
      "3: 1_000 → (1_000 + 1)",
      "4: true → false",
      "5: queue.next() → !(queue.next())",
    ]);
  });

  it("does not change types", () => {
    assert.deepEqual(changesOf("interface A { readonly b: 1 | true }\ntype C = 2;\nlet d: false | 3;"), []);
  });

  it("replaces one place only", () => {
    const text = "const a = 1 + 1;";
    const [, second] = mutantsOf("a.ts", text);
    assert.equal(mutated(text, second!), "const a = 1 + (1 + 1);");
  });

  it("picks different mutants for different seeds, and the same mutants for the same seed", () => {
    const numbers = Array.from({ length: 50 }, (_, at) => at);
    const picked = sample(numbers, 20, seededRandom(1));
    assert.equal(new Set(picked).size, 20);
    assert.deepEqual(sample(numbers, 20, seededRandom(1)), picked);
    assert.notDeepEqual(sample(numbers, 20, seededRandom(2)), picked);
    assert.equal(sample(numbers, 80, seededRandom(1)).length, 50);
  });

  it("orders the tests of a file by the number of imports between them", () => {
    const imports = new Map([
      ["test/unit/far.test.ts", ["b.ts"]],
      ["test/unit/near.test.ts", ["a.ts"]],
      ["test/unit/other.test.ts", ["c.ts"]],
      ["test/engine/a.test.ts", ["a.ts"]],
      ["b.ts", ["a.ts"]],
    ]);
    assert.deepEqual(nearestTests(importersIn(imports), "a.ts"), ["test/unit/near.test.ts", "test/unit/far.test.ts"]);
  });
});

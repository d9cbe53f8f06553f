import assert from "node:assert/strict";
import { pages, pageText } from "../../fixtures/pages";
import { retiredTerms } from "../../fixtures/terms";

/** Lines that keep a retired word, and why. */
const ALLOWED: readonly (readonly [RegExp, string])[] = [
  [/bring\.ts/, "the name of a file"],
  [/formerly `misfits`/, "a name that configs may still have"],
];

/** Pages that are generated from descriptions. */
const GENERATED = ["docs/config.md", "docs/service-environment.md"];

describe("the terms of user-facing text", () => {
  for (const page of [...pages(), "CONTRIBUTING.md", "SECURITY.md"].filter((each) => !GENERATED.includes(each))) {
    it(`are those of Pulumi, Kubernetes and AWS in ${page}`, () => {
      const lines = pageText(page).split("\n");
      const text = lines.filter((line) => !ALLOWED.some(([allowed]) => allowed.test(line))).join("\n");
      assert.deepEqual(retiredTerms(text), []);
    });
  }

  it("would be rejected if one came back", () => {
    assert.deepEqual(
      ["It tells the reason.", "Apply it. The set is brought up.", "Without it, the key is left out."].map(
        (text) => retiredTerms(text).length,
      ),
      [1, 1, 1],
    );
  });
});

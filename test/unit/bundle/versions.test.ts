import assert from "node:assert/strict";
import { versionFor } from "../../../components/bundle/plan";

const chosen = (versions: readonly string[], range?: string): string | undefined =>
  versionFor({ versions: Object.fromEntries(versions.map((version) => [version, { sources: [] }])) } as never, range);

describe("the version of a bundle for a range", () => {
  it("is the highest matching version", () => {
    assert.equal(chosen(["1.2.0", "1.10.0", "2.0.0"], "^1"), "1.10.0");
    assert.equal(chosen(["1.2.0", "1.10.0"]), "1.10.0");
    assert.equal(chosen(["1.2.0"], "^2"), undefined);
  });

  it("is a pre-release only if there is no matching release", () => {
    assert.equal(chosen(["1.0.0", "1.1.0-rc.1"], "^1"), "1.0.0");
    assert.equal(chosen(["1.0.0", "2.0.0-rc.1"]), "1.0.0");
    assert.equal(chosen(["2.0.0-rc.1", "2.0.0-rc.2"], "*"), "2.0.0-rc.2");
    assert.equal(chosen(["1.0.0", "1.1.0-rc.1"], ">=1.1.0-rc.0"), "1.1.0-rc.1");
  });
});

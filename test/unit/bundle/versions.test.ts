import assert from "node:assert/strict";
import { versionFor } from "../../../components/bundle/versions";

const chosen = (versions: readonly string[], range?: string): string | undefined =>
  versionFor({ versions: Object.fromEntries(versions.map((version) => [version, { sources: [] }])) } as never, range);

describe("The version of a bundle that a range means", () => {
  it("is the highest that it has", () => {
    assert.equal(chosen(["1.2.0", "1.10.0", "2.0.0"], "^1"), "1.10.0");
    assert.equal(chosen(["1.2.0", "1.10.0"]), "1.10.0");
    assert.equal(chosen(["1.2.0"], "^2"), undefined);
  });

  it("is one before its release only where there is no other", () => {
    assert.equal(chosen(["1.0.0", "1.1.0-rc.1"], "^1"), "1.0.0");
    assert.equal(chosen(["1.0.0", "2.0.0-rc.1"]), "1.0.0");
    assert.equal(chosen(["2.0.0-rc.1", "2.0.0-rc.2"], "*"), "2.0.0-rc.2");
    assert.equal(chosen(["1.0.0", "1.1.0-rc.1"], ">=1.1.0-rc.0"), "1.1.0-rc.1");
  });
});

import assert from "node:assert/strict";
import { changedProvisioners } from "../../../components/provisioners/changed";

const state = (outputs: Record<string, unknown>, type = "pulumi:pulumi:Stack") => ({ "urn:one": { type, outputs } });

describe("changedProvisioners", () => {
  const before = { provisionerRevisions: { eu: "1", us: "2", gone: "3" } };

  it("lists existing provisioners with another revision", () => {
    assert.deepEqual(changedProvisioners(state(before), { eu: "1", us: "9", added: "4" }), ["us"]);
    assert.deepEqual(changedProvisioners(state(before), { eu: "8", us: "9" }), ["eu", "us"]);
  });

  it("is empty if the state has no valid revisions", () => {
    const strange = [null, "text", ["1"], { eu: 1 }, { eu: null }, undefined];
    for (const provisionerRevisions of strange)
      assert.deepEqual(changedProvisioners(state({ provisionerRevisions }), { eu: "1" }), []);
    assert.deepEqual(changedProvisioners({}, { eu: "1" }), []);
    assert.deepEqual(changedProvisioners(state(before, "stackyard:index:Ray"), { eu: "9" }), []);
  });
});

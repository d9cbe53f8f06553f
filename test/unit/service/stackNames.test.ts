import assert from "node:assert/strict";
import { isDeploymentId } from "../../../engine/stack/names";
import { stackNames } from "../../../service/database/queries/stackNames";

describe("names of stacks of new deployments", () => {
  it("begin with the id, and go on with names that only this tenant's deployment has", () => {
    const [first, ...own] = stackNames("red", "acme");
    assert.equal(first, "acme");
    for (const name of own) assert.match(name, /^acme-[0-9a-f]{8}$/);
    assert.equal(new Set(own).size, own.length);
    assert.deepEqual(stackNames("red", "acme"), [first, ...own]);
    assert.deepEqual(
      stackNames("blue", "acme").filter((name) => own.includes(name)),
      [],
    );
  });

  it("always say the tenant where that is wanted", () => {
    assert.deepEqual(stackNames("red", "acme", "tenant"), stackNames("red", "acme").slice(1));
  });

  it("are legal for the longest id too", () => {
    const id = "a".repeat(100);
    for (const name of stackNames("red", id)) assert.ok(isDeploymentId(name), name);
    assert.notEqual(stackNames("red", id)[1], stackNames("red", `${id.slice(0, 99)}b`)[1]);
  });
});

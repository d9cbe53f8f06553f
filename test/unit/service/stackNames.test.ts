import assert from "node:assert/strict";
import { isDeploymentId } from "../../../engine/stack/names";
import { stackNames } from "../../../service/database/queries/stackNames";

describe("the stack names of a new deployment", () => {
  it("begin with the id, followed by names that are unique to the tenant's deployment", () => {
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

  it("always include the tenant if requested", () => {
    assert.deepEqual(stackNames("red", "acme", "tenant"), stackNames("red", "acme").slice(1));
  });

  it("are valid for the longest id", () => {
    const id = "a".repeat(100);
    for (const name of stackNames("red", id)) assert.ok(isDeploymentId(name), name);
    assert.notEqual(stackNames("red", id)[1], stackNames("red", `${id.slice(0, 99)}b`)[1]);
  });
});

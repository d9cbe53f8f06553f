import assert from "node:assert/strict";
import fc from "fast-check";
import { jobOwner } from "../../../../components/teraslice/job/owner";

describe("the owner of a job", () => {
  it("is a valid label for any stack and key", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (stack, key) => {
        assert.match(jobOwner(stack, key), /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
      }),
    );
  });

  it("differs for another stack or another key", () => {
    assert.notEqual(jobOwner("a-b", "c"), jobOwner("a", "b-c"));
    assert.notEqual(jobOwner("Dev", "x"), jobOwner("dev", "x"));
    assert.match(jobOwner("dev", "example"), /^dev-example-[0-9a-f]{10}$/);
  });
});

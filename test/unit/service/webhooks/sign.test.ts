import assert from "node:assert/strict";
import { sign } from "../../../../service/webhooks/send";
import { isSigned } from "../../../tools/isSigned";

describe("a signed message", () => {
  const header = sign("key", "{}", 1_000);

  it("is verified by its key, its text and its time", () => {
    assert.equal(isSigned(header, "{}", "key", 1_100), true);
    assert.equal(isSigned(header, "{ }", "key", 1_100), false);
    assert.equal(isSigned(header, "{}", "other", 1_100), false);
    assert.equal(isSigned(header, "{}", "key", 1_400), false);
    assert.equal(isSigned(header.replace("t=1000", "t=1100"), "{}", "key", 1_100), false);
    assert.equal(isSigned("", "{}", "key", 1_000), false);
  });
});

import assert from "node:assert/strict";
import { skipSilentTraces } from "../../../../foundation/loader/traces";

describe("the stack traces of a program", () => {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  afterEach(() => {
    if (before) Object.defineProperty(Error, "prepareStackTrace", before);
    else Reflect.deleteProperty(Error, "prepareStackTrace");
  });

  const stackOf = (message?: string): string => new TypeError(message).stack ?? "";

  it("exist only for errors with a message", () => {
    skipSilentTraces({});
    assert.match(stackOf("broken"), /^TypeError: broken\n {4}at .*traces\.test.*\n {4}at /);
    assert.equal(stackOf(), "TypeError");
  });

  it("exist for all errors if leaked promises are traced", () => {
    skipSilentTraces({ PULUMI_DEBUG_PROMISE_LEAKS: "true" });
    assert.match(stackOf(), /^TypeError\n {4}at .*traces\.test/);
  });
});

import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { keptSecret } from "../../../foundation/pulumi/keptSecret";
import { mock, valueOf } from "../runtime/mocks";

class Parent extends pulumi.ComponentResource {
  constructor() {
    super("test:index:Parent", "parent", {}, undefined);
  }
}

describe("a generated secret", () => {
  const made = async (output: Record<string, unknown>): Promise<unknown> => {
    mock(
      ({ type }) => (type === "pulumi:index:Stash" ? output : {}),
      () => ({}),
      "dev",
    );
    const value = keptSecret("token", { token: "fresh" }, new Parent());
    assert.equal(await pulumi.isSecret(value), true);
    return valueOf(value);
  };

  it("is the one in the state", async () => {
    assert.deepEqual(await made({ output: { token: "kept" } }), { token: "kept" });
  });

  it("is a fresh one with mocks that return inputs only, as in a user's unit tests", async () => {
    assert.deepEqual(await made({}), { token: "fresh" });
  });
});

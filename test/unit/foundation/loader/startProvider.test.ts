import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { startProvider } from "../../../../foundation/loader/startProvider";

describe("The start of our provider", () => {
  it("is asked of the engine before the program loads, and an error of it is left to the first resource", async () => {
    const asked: string[] = [];
    await pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
      call: ({ token }) => {
        asked.push(token);
        throw new Error("no such plugin");
      },
    });
    await startProvider();
    assert.deepEqual(asked, ["stackyard:index:start"]);
  });
});

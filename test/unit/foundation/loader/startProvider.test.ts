import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { startProvider } from "../../../../foundation/loader/startProvider";

describe("the start of the Stackyard provider", () => {
  it("is requested before the program loads, and leaves an error to the first resource", async () => {
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

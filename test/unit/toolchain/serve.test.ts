import assert from "node:assert/strict";
import { nextFree } from "../../../toolchain/service/environment";
import { welcome } from "../../../toolchain/commands/serve";

describe("make serve", () => {
  it("uses the next port if the default port is in use", async () => {
    const taken = new Set([3000, 3001]);
    assert.equal(await nextFree(3000, (port) => Promise.resolve(!taken.has(port))), 3002);
  });

  it("fails with the variables to set if no port is free", async () => {
    await assert.rejects(
      nextFree(3000, () => Promise.resolve(false)),
      {
        message: "no port from 3000 to 3099 is free; set APP_ADDRESS and APP_METRICS_ADDRESS",
      },
    );
  });

  it("prints the address of the page, and a first request for the shell", () => {
    const text = welcome("http://127.0.0.1:3002", "/graphql", "dev-1");
    assert.match(text, /http:\/\/127\.0\.0\.1:3002\/#token=dev-1/);
    const [, body = ""] = /-d '([^']*)'/.exec(text) ?? [];
    assert.match((JSON.parse(body) as { query: string }).query, /^mutation \{ provisionDeployment\(id: "hello"/);
  });
});

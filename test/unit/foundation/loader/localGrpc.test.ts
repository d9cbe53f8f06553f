import assert from "node:assert/strict";
import { reachLocalGrpc } from "../../../../foundation/loader/localGrpc";

describe("the gRPC of Stackyard's programs", () => {
  const hosts = (env: NodeJS.ProcessEnv): string | undefined => {
    reachLocalGrpc(env);
    return env["no_grpc_proxy"];
  };

  it("connects to this machine without a proxy", () => {
    assert.equal(hosts({ https_proxy: "http://proxy.example.com:3128" }), "127.0.0.1,localhost");
  });

  it("connects without a proxy to the hosts that were already excluded", () => {
    assert.equal(hosts({ no_proxy: "10.0.0.0/8,localhost" }), "10.0.0.0/8,localhost,127.0.0.1");
    assert.equal(hosts({ no_proxy: "a", no_grpc_proxy: "b" }), "b,127.0.0.1,localhost");
  });

  it("has the same hosts in child processes", () => {
    const env = {};
    assert.equal(hosts(env), hosts(env));
  });
});

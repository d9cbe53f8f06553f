import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { KeptProvider } from "../../../engine/update/keptProvider";

/** A provider that is canceled for good, as the real one: it answers with its state as its version. */
const PROVIDER = `#!${process.execPath}
const grpc = require(${JSON.stringify(require.resolve("@grpc/grpc-js"))});
const { ResourceProviderService } = require(${JSON.stringify(require.resolve("@pulumi/pulumi/proto/provider_grpc_pb"))});
const { PluginInfo } = require(${JSON.stringify(require.resolve("@pulumi/pulumi/proto/plugin_pb"))});
const { Empty } = require(${JSON.stringify(require.resolve("google-protobuf/google/protobuf/empty_pb"))});
let state = "works";
const server = new grpc.Server();
server.addService(ResourceProviderService, {
  getPluginInfo: (_call, callback) => callback(null, new PluginInfo().setVersion(state)),
  cancel: (_call, callback) => { state = "canceled"; callback(null, new Empty()); },
  attach: () => process.exit(1),
  getSchema: (_call, callback) => callback({ code: grpc.status.INVALID_ARGUMENT, details: "no schema" }),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (_error, port) => console.log(port));
`;

type Call<T> = (callback: (error: Error | null, answer: T) => void) => unknown;
const answerOf = <T>(call: Call<T>): Promise<T> =>
  new Promise((resolve, reject) => call((error, answer) => (error ? reject(error) : resolve(answer))));

describe("the kept Kubernetes provider", function () {
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-kept-"));
  const program = path.join(folder, "pulumi-resource-kubernetes");
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env["PATH"]}` };

  before(function () {
    if (process.platform === "win32") this.skip();
    writeFileSync(program, PROVIDER);
    chmodSync(program, 0o755);
  });
  after(() => rmSync(folder, { recursive: true }));

  it("serves the next update after the engine of the previous update canceled it", async () => {
    const provider = await KeptProvider.start(env);
    assert.ok(provider);
    try {
      for (let update = 0; update < 2; update++) {
        const used: { readonly port: number; close(): void } = provider.use();
        const client = new ResourceProviderClient(`127.0.0.1:${used.port}`, credentials.createInsecure());
        const info = await answerOf<PluginInfo>((callback) => client.getPluginInfo(new Empty(), callback));
        assert.equal(info.getVersion(), "works");
        await answerOf<Empty>((callback) => client.cancel(new Empty(), callback));
        client.close();
        used.close();
      }
      assert.ok(provider.isFit);
    } finally {
      provider.end();
    }
  });

  it("forwards errors of the provider", async () => {
    const provider = await KeptProvider.start(env);
    assert.ok(provider);
    try {
      const client = new ResourceProviderClient(`127.0.0.1:${provider.use().port}`, credentials.createInsecure());
      const asked = answerOf((callback) => client.getSchema(new GetSchemaRequest(), callback));
      await assert.rejects(asked, /INVALID_ARGUMENT: no schema/);
      client.close();
    } finally {
      provider.end();
    }
  });

  it("serves no other update after it ended", async () => {
    const provider = await KeptProvider.start(env);
    assert.ok(provider);
    try {
      const client = new ResourceProviderClient(`127.0.0.1:${provider.use().port}`, credentials.createInsecure());
      const lost = answerOf<Empty>((callback) => client.attach(new PluginAttach(), callback));
      await assert.rejects(lost, /UNAVAILABLE/);
      while (provider.isFit) await sleep(10);
      client.close();
    } finally {
      provider.end();
    }
  });

  it("is not used if it ends before it serves", async () => {
    const broken = path.join(folder, "broken");
    mkdirSync(broken);
    writeFileSync(path.join(broken, "pulumi-resource-kubernetes"), "#!/bin/sh\nexit 1\n");
    chmodSync(path.join(broken, "pulumi-resource-kubernetes"), 0o755);
    assert.equal(await KeptProvider.start({ ...process.env, PATH: `${broken}:/usr/bin:/bin` }), undefined);
  });
});

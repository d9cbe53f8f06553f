import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runtime } from "@pulumi/pulumi";
import { SECRET_MARK, SIGNATURE, UNKNOWN } from "../../../foundation/pulumi/protocol/marks";
import { ErrorResourceInitFailed, ResourceProviderService } from "../../../foundation/pulumi/protocol/plugin";
import { EventsService, LanguageRuntimeService, LanguageServer } from "../../../foundation/pulumi/protocol/program";
import { service } from "../../../provider/framework/service";
import { Sessions } from "../../../provider/framework/session";
import { sourceFiles } from "../../../toolchain/check/importGraph";

const root = join(__dirname, "../../..");

/** Calls that the engine never makes to a provider whose schema has no parameters and mappings. */
const NOT_SERVED = ["parameterize", "list", "getMapping", "getMappings"];

describe("the internals of Pulumi's SDK", () => {
  it("are imported only by foundation/pulumi/protocol and foundation/loader", () => {
    const outside = sourceFiles(root).filter(
      (file) => !/^(?:test|bench|foundation\/(?:loader|pulumi\/protocol))\//.test(file),
    );
    const deep = outside.filter((file) =>
      /(?:from|import|require)\(? ?"(?:google-protobuf|@pulumi\/pulumi\/(?!automation"))/.test(
        readFileSync(join(root, file), "utf8"),
      ),
    );
    assert.deepEqual(deep, []);
  });

  it("mark secrets and unknown values as in foundation/pulumi/protocol/marks.ts", () => {
    const { specialSigKey, specialSecretSig, unknownValue } = runtime;
    assert.deepEqual([SIGNATURE, SECRET_MARK, UNKNOWN], [specialSigKey, specialSecretSig, unknownValue]);
  });

  it("have only provider calls that provider/framework/service.ts serves or this test lists", () => {
    const served = Object.keys(
      service({ version: "1.0.0", handlers: {}, schema: () => Promise.resolve("{}") }, new Sessions(), ""),
    );
    assert.deepEqual(Object.keys(ResourceProviderService).sort(), [...served, ...NOT_SERVED].sort());
  });

  it("have the error that provider/framework/errors.ts uses for a resource that is not ready", () => {
    const failed = new ErrorResourceInitFailed();
    failed.setReasonsList(["is not ready"]);
    failed.setId("id");
    const received = ErrorResourceInitFailed.deserializeBinary(failed.serializeBinary());
    assert.deepEqual([received.getId(), received.getReasonsList()], ["id", ["is not ready"]]);
  });

  it("run a program in this process as engine/update/server.ts starts it", () => {
    const server = new LanguageServer(() => Promise.resolve({}));
    // What the engine calls of a program that runs already.
    for (const call of ["run", "getPluginInfo", "getRequiredPlugins"]) {
      assert.equal(typeof server[call], "function", `LanguageServer has no ${call}`);
      assert.ok(call in LanguageRuntimeService, `the engine has no call ${call}`);
    }
    assert.deepEqual(Object.keys(EventsService), ["streamEvents"]);
  });

  it("load at start the modules that foundation/loader/ delays", () => {
    const sources = ["program.js", "lazy.js"].map((name) =>
      readFileSync(join(root, "foundation/loader", name), "utf8"),
    );
    const packages = /"(@npmcli\/arborist|normalize-package-data|typescript|@pulumi\/pulumi\/automation)"/g;
    const delayed = [...sources.join("\n").matchAll(packages)].map(([, name = ""]) => name);
    assert.equal(delayed.length, 4);
    const asks = `require("@pulumi/pulumi"); console.log(JSON.stringify(${JSON.stringify(delayed)}.filter((name) => !(require.resolve(name) in require.cache))))`;
    const unused = execFileSync(process.execPath, ["-e", asks], { cwd: root, encoding: "utf8" });
    assert.deepEqual(JSON.parse(unused), [], "the SDK does not load them at start any more: they need no delay");
  });

  it("log with the calls that foundation/loader/debugMessages.js and silentInvoke.ts replace", () => {
    const log = readFileSync(require.resolve("@pulumi/pulumi/log"), "utf8");
    assert.match(log, /engine\.log\(/, "messages of the SDK no longer pass engine.log");
    assert.match(log, /LogSeverity\.DEBUG/);
    const invoke = readFileSync(require.resolve("@pulumi/pulumi/runtime/invoke"), "utf8");
    assert.match(invoke, /log\.debug\(/, "the SDK no longer logs the response of a call: use runtime.invoke instead");
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { status } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { PropertyDiff, DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { IncompleteError, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context, Properties, ResourceHandler } from "../../../foundation/pulumi/resource";
import { serveProvider } from "../../../provider/framework/serve";
import type { Served } from "../../../provider/framework/serve";
import { decode } from "../../../foundation/pulumi/protocol/values";
import { Engine, partialFailure } from "./engine";

type Verb = (context: Context, inputs: Properties) => Promise<Properties>;

/** A resource whose create and update do what the test says. */
class Fake implements ResourceHandler<Properties, Properties> {
  readonly secretProperties = ["password"];
  act: Verb = (_context, inputs) => Promise.resolve(inputs);
  deleted: string[] = [];

  check(_context: Context, inputs: Properties) {
    const failures = inputs["bad"] === undefined ? [] : [{ property: "bad", reason: "found bad; expected good" }];
    return Promise.resolve({ inputs: { ...inputs, filled: true }, failures });
  }
  diff(_context: Context, _id: string, old: { inputs: Properties; state: Properties }, inputs: Properties) {
    return Promise.resolve({ changes: changesBetween(old.inputs, inputs, ["name"]), deleteBeforeReplace: true });
  }
  async create(context: Context, inputs: Properties) {
    return { id: "made", state: await this.act(context, inputs) };
  }
  read(_context: Context, id: string, old: { inputs: Properties; state: Properties }) {
    return Promise.resolve(id === "gone" ? undefined : { inputs: { password: "p" }, state: { ...old.state, id } });
  }
  update(context: Context, _id: string, _old: object, inputs: Properties) {
    return this.act(context, inputs);
  }
  delete(_context: Context, id: string) {
    this.deleted.push(id);
    return Promise.resolve();
  }
}

const failure = async (call: Promise<unknown>): Promise<ServiceError> => {
  try {
    await call;
  } catch (error) {
    return error as ServiceError;
  }
  return assert.fail("it did not fail");
};

describe("the provider", () => {
  let fake: Fake;
  let served: Served;
  let engine: Engine;

  beforeEach(async () => {
    fake = new Fake();
    const handlers = { "stackyard:index:Fake": () => Promise.resolve(fake) };
    served = await serveProvider(
      { version: "1.2.3", handlers, schema: () => Promise.resolve('{"name":"stackyard"}') },
      "file:///state",
    );
    engine = await new Engine(served.port).start();
  });
  afterEach(() => {
    engine.stop();
    served.close();
  });

  it("reports its schema", async () => {
    assert.equal((await engine.schema()).getSchema(), '{"name":"stackyard"}');
  });

  it("discards the project's config, which the engine passes to a provider of the same name", async () => {
    const response = await engine.checkConfig({ ledger: "postgres://u:p@h/d", cluster: "{}" });
    assert.deepEqual(decode(response.getInputs()), {});
    assert.deepEqual(response.getFailuresList(), []);
  });

  it("adds defaults, and reports faults without the property name, whose value the engine would print", async () => {
    const response = await engine.check("Fake", { bad: 1 });
    assert.deepEqual(decode(response.getInputs()), { bad: 1, filled: true });
    assert.deepEqual(
      response.getFailuresList().map((one) => [one.getProperty(), one.getReason()]),
      [["", "bad: found bad; expected good"]],
    );
  });

  it("reports differences in detail, by name and as reasons for a replacement", async () => {
    const response = await engine.diff("Fake", { list: [1, 2], name: "a" }, { list: [1, 3], name: "b" });
    assert.equal(response.getChanges(), DiffResponse.DiffChanges.DIFF_SOME);
    assert.deepEqual(response.getDiffsList(), ["list", "name"]);
    assert.deepEqual(response.getReplacesList(), ["name"]);
    assert.equal(response.getDeletebeforereplace(), true);
    assert.equal(response.getHasdetaileddiff(), true);
    const kinds = response.getDetaileddiffMap();
    assert.equal(kinds.get("list[1]")?.getKind(), PropertyDiff.Kind.UPDATE);
    assert.equal(kinds.get("name")?.getKind(), PropertyDiff.Kind.UPDATE_REPLACE);
  });

  it("reports no changes if nothing changed", async () => {
    const response = await engine.diff("Fake", { a: { b: 1 } }, { a: { b: 1 } });
    assert.equal(response.getChanges(), DiffResponse.DiffChanges.DIFF_NONE);
  });

  it("creates a resource and marks its secrets", async () => {
    const response = await engine.create("Fake", { password: "p", open: 1 });
    assert.equal(response.getId(), "made");
    const state = response.getProperties()?.toJavaScript() ?? {};
    assert.equal(state["open"], 1);
    assert.deepEqual(Object.values(state["password"] as object), ["1b47061264138c4ac30d75fd1eb44270", "p"]);
  });

  it("passes backend, preview and timeout to create, and returns no id in a preview", async () => {
    const seen: unknown[] = [];
    fake.act = (context) => {
      seen.push([context.backend, context.preview, context.timeoutSeconds, context.urn.split("::").at(-1)]);
      return Promise.resolve({ host: UNKNOWN });
    };
    const response = await engine.create("Fake", {}, true);
    assert.equal(response.getId(), "");
    assert.deepEqual(decode(response.getProperties()), { host: UNKNOWN });
    await engine.create("Fake", {}, false, 90);
    assert.deepEqual(seen, [
      ["file:///state", true, undefined, "one"],
      ["file:///state", false, 90, "one"],
    ]);
  });

  it("reads state and inputs, and returns no id if the resource is gone", async () => {
    const found = await engine.read("Fake", "here", { a: 1 });
    assert.equal(found.getId(), "here");
    assert.deepEqual(decode(found.getProperties()), { a: 1, id: "here" });
    assert.ok(found.getInputs());
    assert.equal((await engine.read("Fake", "gone")).getId(), "");
  });

  it("deletes", async () => {
    await engine.delete("Fake", "made", {});
    assert.deepEqual(fake.deleted, ["made"]);
  });

  it("reports a rejection with its message only", async () => {
    fake.act = () => Promise.reject(new Error("pool a is full"));
    const error = await failure(engine.create("Fake", {}));
    assert.equal(error.details, "pool a is full");
    assert.equal(error.code, status.FAILED_PRECONDITION);
    assert.equal(partialFailure(error), undefined);
  });

  it("reports a bug with its stack trace", async () => {
    fake.act = () => Promise.resolve((undefined as unknown as { a: Properties }).a);
    const error = await failure(engine.update("Fake", "made", {}, {}));
    assert.match(error.details, /^this is a bug in the stackyard provider[^]*service\.test/);
    assert.equal(error.code, status.INTERNAL);
  });

  it("returns the partial state of an incomplete resource", async () => {
    const state = { host: "a", password: "p" };
    fake.act = () => Promise.reject(new IncompleteError("pod x can't pull its image", "half", state));
    for (const call of [engine.create("Fake", {}), engine.update("Fake", "half", {}, {})]) {
      const partial = partialFailure(await failure(call));
      assert.equal(partial?.id, "half");
      assert.deepEqual(partial?.reasons, ["pod x can't pull its image"]);
      assert.ok("host" in partial.properties && partial.properties.host === "a");
      assert.notDeepEqual(partial.properties, state, "the secret is not marked");
    }
  });

  it("rejects an unknown resource type, and names its own types", async () => {
    for (const type of ["Other", "constructor"]) {
      const error = await failure(engine.create(type, {}));
      assert.match(
        error.details,
        new RegExp(`no resource type "stackyard:index:${type}"; it has: stackyard:index:Fake`),
      );
    }
  });

  it("sends log messages before its response, in order, with progress as ephemeral messages", async () => {
    fake.act = (context) => {
      context.log("status", "1 of 2");
      context.log("info", "first");
      context.log("warning", "second");
      return Promise.resolve({});
    };
    await engine.create("Fake", {});
    assert.deepEqual(engine.lines, ["one 1~ 1 of 2", "one 1 first", "one 2 second"]);
  });

  it("stops only the work of the engine that cancels, and serves new requests afterwards", async () => {
    const other = await new Engine(served.port).start();
    fake.act = async ({ signal }, inputs) => {
      if (inputs["wait"] === true && !signal.aborted) await once(signal, "abort");
      signal.throwIfAborted();
      return {};
    };
    const waiting = failure(engine.create("Fake", { wait: true }));
    const others = failure(other.create("Fake", { wait: true }));
    await engine.cancel();
    assert.equal((await waiting).details, "stopped, because the update was canceled");
    assert.equal(await Promise.race([others, Promise.resolve("still working")]), "still working");
    await other.create("Fake", {});

    const again = await new Engine(served.port).start();
    await again.create("Fake", {});
    await other.cancel();
    assert.equal((await others).code, status.CANCELLED);
    other.stop();
    again.stop();
  });
});

import assert from "node:assert/strict";
import { changesBetween } from "../../../foundation/pulumi/changes";
import { contained, type ContainedOutcome } from "../../../provider/framework/contained";
import { IncompleteError, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";

interface Inputs {
  readonly name: string;
  readonly size: number;
}
interface State extends Inputs {
  readonly made: readonly string[];
  readonly outcome?: ContainedOutcome;
  readonly kept?: { readonly inputs?: Inputs };
}

describe("a contained failure", () => {
  let lines: string[];
  let fails: Error | undefined;
  let did: string[];
  const abort = new AbortController();
  const context: Context = {
    urn: "urn:one",
    backend: "file:///state",
    preview: false,
    signal: abort.signal,
    timeoutSeconds: undefined,
    log: (severity, message) => lines.push(`${severity}: ${message}`),
  };
  const plain: ResourceHandler<Inputs, State> = {
    secretProperties: ["name"],
    check(_context, inputs) {
      const failures = inputs["size"] === 13 ? [{ property: "size", reason: "found 13; expected luck" }] : [];
      return Promise.resolve({ inputs, failures });
    },
    diff: (_context, _id, old, inputs) =>
      Promise.resolve({
        changes: changesBetween({ name: old.inputs.name, size: old.inputs.size }, inputs, ["name"]),
      }),
    create(_context, inputs) {
      did.push(`create ${JSON.stringify(inputs)}`);
      if (fails) throw fails;
      return Promise.resolve({ id: inputs.name, state: { ...inputs, made: ["a"] } });
    },
    read: (_context, _id, old) => Promise.resolve(old),
    update(_context, _id, old, inputs) {
      did.push(`update ${old.inputs.size} to ${inputs.size}`);
      if (fails) throw fails;
      return Promise.resolve({ ...inputs, made: [...old.state.made, "b"] });
    },
    delete(_context, _id, old) {
      did.push(`delete ${old.inputs.size} ${old.state.made.join()}`);
      return Promise.resolve();
    },
  };
  let handler: ResourceHandler<Inputs, State>;
  const inputs = (size: number, more: object = {}): Inputs => ({ name: "one", size, outcome: {}, ...more }) as Inputs;

  beforeEach(() => {
    handler = contained(plain, { idOf: ({ name }) => name, nothing: (all) => ({ ...all, made: [] }) });
    [lines, did, fails] = [[], [], undefined];
  });
  const failing = (size = 1) => {
    fails = new Error("the registry is down");
    return handler.create(context, inputs(size));
  };

  it("is recorded in the state and logged as an error", async () => {
    const { id, state } = await failing();
    assert.equal(id, "one");
    assert.deepEqual(state.outcome, { failure: "the registry is down" });
    assert.deepEqual(lines, ["error: the registry is down"]);
  });

  it("is an ordinary error if no outcome is requested", async () => {
    fails = new Error("the registry is down");
    await assert.rejects(handler.create(context, { name: "one", size: 1 }), /registry/);
    const state = { name: "one", size: 1, made: [] };
    await assert.rejects(
      handler.update(context, "one", { inputs: state, state }, { name: "one", size: 2 }),
      /registry/,
    );
  });

  it("is retried as a create until it succeeds, and then causes no change", async () => {
    const { state } = await failing();
    const old = { inputs: inputs(1), state };
    assert.deepEqual((await handler.diff(context, "one", old, inputs(1))).changes, { outcome: "update" });
    fails = undefined;
    const next = await handler.update(context, "one", old, inputs(1));
    assert.deepEqual(did.slice(1), ['create {"name":"one","size":1}']);
    assert.deepEqual(next.made, ["a"]);
    assert.ok((next.outcome?.settledAt ?? 0) > 0);
    assert.equal(next.kept, undefined);
    assert.deepEqual((await handler.diff(context, "one", { inputs: inputs(1), state: next }, inputs(1))).changes, {});
  });

  it("leaves nothing to delete if nothing was created", async () => {
    const { state } = await failing();
    await handler.delete(context, "one", { inputs: inputs(1), state });
    assert.deepEqual(did.slice(1), []);
    assert.deepEqual(await handler.read(context, "one", { inputs: inputs(1), state }), { inputs: inputs(1), state });
  });

  it("keeps the previous inputs for the next operation", async () => {
    const made = await handler.create(context, inputs(1));
    fails = new Error("too big");
    const state = await handler.update(context, "one", { inputs: inputs(1), state: made.state }, inputs(100));
    assert.deepEqual([state.size, state.made], [1, ["a"]]);
    // The engine keeps the inputs of the program.
    const old = { inputs: inputs(100), state };
    assert.deepEqual((await handler.diff(context, "one", old, inputs(1))).changes, { outcome: "update" });
    assert.deepEqual(Object.keys((await handler.diff(context, "one", old, inputs(100))).changes), ["size", "outcome"]);
    await handler.delete(context, "one", old);
    assert.equal(did.at(-1), "delete 1 a");
    fails = undefined;
    await handler.update(context, "one", old, inputs(2));
    assert.equal(did.at(-1), "update 1 to 2");
  });

  it("keeps changes that were made before it", async () => {
    fails = new IncompleteError("not ready", "one", { ...inputs(1), made: ["half"] });
    const { state } = await handler.create(context, inputs(1));
    assert.deepEqual([state.made, state.outcome, state.kept], [["half"], { failure: "not ready" }, undefined]);
    await handler.delete(context, "one", { inputs: inputs(1), state });
    assert.equal(did.at(-1), "delete 1 half");
  });

  it("skips dependents, but only if they have changes", async () => {
    const { state } = await handler.create(context, inputs(1));
    const old = { inputs: inputs(1), state };
    const blocked = { blockedBy: ["db"] };
    assert.deepEqual((await handler.diff(context, "one", old, inputs(1, blocked))).changes, {});
    const next = await handler.update(context, "one", old, inputs(2, blocked));
    assert.deepEqual(next.outcome, { failure: "skipped, because db failed", because: ["db"] });
    assert.deepEqual([next.size, did.length], [1, 1]);
  });

  it("includes faults that the check finds", async () => {
    const checked = await handler.check(context, { ...inputs(13) }, undefined);
    assert.deepEqual(checked.failures, []);
    const { state } = await handler.create(context, checked.inputs as unknown as Inputs);
    assert.deepEqual([state.outcome, did], [{ failure: "size: found 13; expected luck" }, []]);
    const plainly = await handler.check(context, { name: "one", size: 13 }, undefined);
    assert.equal(plainly.failures.length, 1);
  });

  it("is reported to the engine during a replacement", async () => {
    const { state } = await handler.create(context, inputs(1));
    const other = inputs(1, { name: "two" });
    assert.deepEqual((await handler.diff(context, "one", { inputs: inputs(1), state }, other)).changes, {
      name: "update-replace",
    });
    fails = new Error("no");
    await assert.rejects(handler.create(context, other), /no/);
    await assert.rejects(handler.create(context, inputs(1, { name: "two", blockedBy: ["db"] })), /because db failed/);
  });

  it("is reported to the engine if the update is cancelled", async () => {
    const cancelled = { ...context, signal: AbortSignal.abort() };
    fails = new Error("stopped");
    await assert.rejects(handler.create(cancelled, inputs(1)), /stopped/);
  });

  it("keeps the previous inputs secret", () => {
    assert.deepEqual(handler.secretProperties, ["name", "kept"]);
  });
});

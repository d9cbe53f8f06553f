import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IncompleteError, type Context, type ResourceHandler } from "../../../foundation/pulumi/resource";
import { renamed } from "../../../provider/framework/renamed";
import { manifestSet } from "../../../provider/resources/manifestSet/manifestSet";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import { schema } from "../../../provider/packageSchema";
import { projectRoot } from "../../../toolchain/root";

const context: Context = {
  urn: "urn:one",
  backend: "file:///state",
  preview: true,
  signal: new AbortController().signal,
  timeoutSeconds: undefined,
  log: () => undefined,
};

interface StateResource {
  readonly id: string;
  readonly type: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
}

/** Sets of a state that a program with the input `set` made. */
function setsOfOldState(): StateResource[] {
  const text = readFileSync(join(projectRoot(), "test/fixtures/states/0.1.0-staging.json"), "utf8").replaceAll(
    "@TAG@",
    "one",
  );
  const { deployment } = JSON.parse(text) as { deployment: { resources: StateResource[] } };
  const isSecret = (value: unknown): value is { plaintext: string } =>
    typeof value === "object" && value !== null && "plaintext" in value;
  const plain = (properties: object): Record<string, unknown> =>
    JSON.parse(JSON.stringify(properties), (_key, value: unknown) =>
      isSecret(value) ? (JSON.parse(value.plaintext) as unknown) : value,
    ) as Record<string, unknown>;
  return deployment.resources
    .filter(({ type }) => type === "stackyard:index:ManifestSet")
    .map((one) => ({ ...one, inputs: plain(one.inputs), outputs: plain(one.outputs) }));
}

const without = (properties: object, ...keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !keys.includes(key)));

describe("a renamed input", () => {
  it("causes no change to sets in a state with the former name", async () => {
    const sets = setsOfOldState();
    assert.ok(sets.length > 5 && sets.every(({ inputs }) => "set" in inputs));
    for (const { id, inputs, outputs } of sets) {
      const { set } = inputs;
      // The check keeps the instance, which no program names.
      const rest = without(inputs, "set", "instance");
      for (const program of [
        { ...rest, name: set },
        { ...rest, set },
      ]) {
        const checked = await manifestSet.check(context, program, { old: inputs, seed: "seed" });
        assert.deepEqual(checked, { inputs, failures: [] });
        const old = { inputs, state: outputs } as unknown as Parameters<typeof manifestSet.diff>[2];
        assert.deepEqual((await manifestSet.diff(context, id, old, checked.inputs as never)).changes, {});
      }
    }
  });

  it("replaces a set of an old state if its value changes, and then has its new name", async () => {
    const [{ id, inputs, outputs }] = setsOfOldState() as [StateResource];
    const program = { ...without(inputs, "set"), name: "another" };
    const checked = await manifestSet.check(context, program, { old: inputs, seed: "seed" });
    const old = { inputs, state: outputs } as unknown as Parameters<typeof manifestSet.diff>[2];
    const { changes } = await manifestSet.diff(context, id, old, checked.inputs as never);
    assert.deepEqual(changes, { set: "update-replace" });
    const replacement = await manifestSet.check(context, program, { old: {}, seed: "seed" });
    assert.equal(replacement.inputs["name"], "another");
    assert.ok(!("set" in replacement.inputs));
  });

  it("is accepted with either name in a program, and rejected with both", async () => {
    const set = { cluster: "one", namespace: "ns", objects: [] };
    const check = (more: object) => manifestSet.check(context, { ...set, ...more }, { old: {}, seed: "seed" });
    assert.deepEqual(await check({ set: "acme" }), await check({ name: "acme" }));
    assert.match(
      (await check({ set: "acme", name: "acme" })).failures[0]?.reason ?? "",
      /set is the former name of name/,
    );
    assert.deepEqual(
      (await check({})).failures.map(({ property }) => property),
      ["name"],
    );
  });

  it("is marked as deprecated in the package schema", () => {
    const { resources } = JSON.parse(schema) as {
      resources: Record<string, { inputProperties: Record<string, object>; requiredInputs: string[] }>;
    };
    const { inputProperties, requiredInputs } = resources["stackyard:index:ManifestSet"]!;
    assert.partialDeepStrictEqual(inputProperties["set"], { type: "string", deprecationMessage: "Use name." });
    assert.deepEqual(requiredInputs, ["cluster", "namespace", "objects"]);
  });

  it("keeps its former name in the state of a release", async () => {
    const old = { cluster: "one", name: "shop", namespace: "shop", sources: [], ground: ["widgets.example.com"] };
    const { ground: providedBy, ...rest } = old;
    const digest = `sha256:${"0".repeat(64)}`;
    const { inputs } = await bundleRelease.check(context, { ...rest, digest, providedBy }, { old, seed: "seed" });
    assert.deepEqual(inputs["ground"], providedBy);
    assert.ok(!("providedBy" in inputs));
  });

  it("has the name of the inputs in states, also in states of errors", async () => {
    const seen: object[] = [];
    const inner: ResourceHandler<{ now: number }, { now: number }> = {
      check: (_context, inputs) => Promise.resolve({ inputs, failures: [] }),
      diff: () => Promise.resolve({ changes: { now: "update" } }),
      create(_context, inputs) {
        seen.push(inputs);
        if (inputs.now === 13) throw new IncompleteError("failed", "id", inputs);
        return Promise.resolve({ id: "id", state: inputs });
      },
      read: (_context, _id, old) => Promise.resolve(old),
      update: (_context, _id, old, inputs) => {
        seen.push(old.inputs, old.state);
        return Promise.resolve(inputs);
      },
      delete: (_context, _id, old) => {
        seen.push(old.state);
        return Promise.resolve();
      },
    };
    const handler = renamed(inner, "was", "now") as unknown as ResourceHandler<object, object>;
    const old = { inputs: { was: 1 }, state: { was: 1 } };
    assert.deepEqual((await handler.create(context, { was: 2 })).state, { was: 2 });
    assert.deepEqual((await handler.create(context, { now: 2 })).state, { now: 2 });
    assert.deepEqual(await handler.update(context, "id", old, { was: 3 }), { was: 3 });
    assert.deepEqual(await handler.read(context, "id", old), old);
    assert.deepEqual((await handler.diff(context, "id", old, { was: 3 })).changes, { was: "update" });
    await handler.delete(context, "id", old);
    await assert.rejects(
      handler.create(context, { was: 13 }),
      (error: IncompleteError) => "was" in error.state && !("now" in error.state),
    );
    assert.ok(seen.every((one) => "now" in one && !("was" in one)));
  });
});

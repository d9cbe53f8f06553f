import assert from "node:assert/strict";
import { withoutPending } from "../../../engine/pulumi/state/pending";

const SLOTS = "stackyard:index:SlotAllocation";
const SET = "stackyard:index:ManifestSet";

describe("a state with pending operations", () => {
  it("keeps a resource in creation as unfinished, with its encrypted secrets", () => {
    const kubeconfig = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };
    const slots = { urn: "urn:s", type: SLOTS, inputs: { pool: "dev/shared", deployment: "acme" } };
    const former = { cluster: "https://c", namespace: "ns", set: "runtime-globex" };
    const inputs = { cluster: "https://c", namespace: "ns", name: "runtime-acme", kubeconfig, instance: "1f" };
    const state = {
      manifest: { time: "then" },
      resources: [{ urn: "urn:stack", type: "pulumi:pulumi:Stack" }],
      pending_operations: [
        slots,
        { urn: "urn:m", type: SET, inputs },
        { urn: "urn:f", type: SET, inputs: former },
        { urn: "urn:p", type: "pulumi:index:Stash" },
      ].map((resource) => ({ type: "creating", resource })),
    };
    const { resources = [], pending_operations: left, manifest } = withoutPending(state);
    assert.deepEqual([left, manifest], [undefined, { time: "then" }]);
    assert.deepEqual(
      resources.map(({ urn, id, initErrors = [] }) => [urn, id, initErrors.length]),
      [
        ["urn:stack", undefined, 0],
        ["urn:s", "dev/shared/acme", 1],
        ["urn:m", "https://c/ns/runtime-acme", 1],
        ["urn:f", "https://c/ns/runtime-globex", 1],
      ],
    );
    assert.deepEqual(resources[2]?.outputs, { ...inputs, ownerId: "1f", interrupted: true });
  });

  it("adds a missing provider, and drops other references to destroyed resources", () => {
    const urn = (type: string, name: string) => `urn:pulumi:acme::stackyard-runtime::${type}::${name}`;
    const provider = `${urn("pulumi:providers:stackyard", "default")}::48285483-fa4c`;
    const slots = {
      ...{ urn: urn(SLOTS, "slots"), type: SLOTS, inputs: { pool: "dev/shared", deployment: "acme" }, provider },
      parent: urn("stackyard:index:StaticRuntime", "gone"),
      dependencies: [urn(SET, "set"), urn(SET, "gone")],
      propertyDependencies: { slots: [urn(SET, "gone")] },
    };
    const set = { urn: urn(SET, "set"), type: SET, inputs: { cluster: "c", namespace: "n", set: "s" }, provider };
    const pending = [set, slots].map((resource) => ({ type: "creating", resource }));
    const { resources = [] } = withoutPending({ pending_operations: pending });
    assert.deepEqual(
      resources.map(({ type, id }) => [type, id]),
      [
        ["pulumi:providers:stackyard", "48285483-fa4c"],
        [SET, "c/n/s"],
        [SLOTS, "dev/shared/acme"],
      ],
    );
    const { parent, dependencies, propertyDependencies } = resources[2] as Partial<typeof slots>;
    assert.deepEqual([parent, dependencies, propertyDependencies], [undefined, [set.urn], { slots: [] }]);
    const whole = {
      urn: provider.slice(0, provider.lastIndexOf("::")),
      type: "pulumi:providers:stackyard",
      id: "48285483-fa4c",
    };
    const there = withoutPending({ resources: [whole], pending_operations: [{ type: "creating", resource: set }] });
    assert.deepEqual(
      there.resources?.map(({ type }) => type),
      [whole.type, SET],
    );
  });

  it("keeps a database in creation, with the id that belongs to this stack", () => {
    const inputs = { database: "rill_acme", user: "rill_acme", instance: "1f" };
    const resource = { urn: "urn:d", type: "stackyard:index:ClickHouseDatabase", inputs };
    const { resources = [] } = withoutPending({ pending_operations: [{ type: "creating", resource }] });
    assert.deepEqual([resources[0]?.id, resources[0]?.inputs], ["rill_acme", inputs]);
  });

  it("keeps an interrupted registration, which the provider finds by its instance", () => {
    const type = "stackyard:index:DirectorRuntime";
    const pending = [{ name: "acme", instance: "1f" }, { name: "of an older version" }].map((inputs) => ({
      type: "creating",
      resource: { urn: `urn:${inputs.name}`, type, inputs },
    }));
    const { resources = [] } = withoutPending({ pending_operations: pending });
    assert.deepEqual(
      resources.map(({ id }) => id),
      ["instance/1f"],
    );
  });

  it("marks an interrupted update to be repeated, and keeps a replacement beside the old resource", () => {
    const old = { urn: "urn:s", type: SLOTS, id: "p/a", inputs: { pool: "p", deployment: "a" } };
    const changed = withoutPending({ resources: [old], pending_operations: [{ type: "updating", resource: old }] });
    assert.deepEqual(
      changed.resources?.map(({ urn, outputs, initErrors = [] }) => [urn, outputs, initErrors.length]),
      [["urn:s", { interrupted: true }, 1]],
    );
    const replaced = withoutPending({ resources: [old], pending_operations: [{ type: "creating", resource: old }] });
    assert.deepEqual(
      replaced.resources?.map(({ delete: going }) => going ?? false),
      [false, true],
    );
    assert.deepEqual(withoutPending({}).resources, []);
  });
});

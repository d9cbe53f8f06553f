import assert from "node:assert/strict";
import { failureKind, type FailureKind } from "../../../foundation/errors";
import * as pulumi from "@pulumi/pulumi";
import { runtimeProgram } from "../../../runtime/program";
import { mock, type Recorder, settled, valueOf } from "./mocks";
import { CLICKHOUSE_DATABASE } from "../../../components/resources/tokens";
import type { RuntimeRecord } from "../../../components/runtime/record/record";
import { DEPLOYMENT, PLATFORM } from "./platform";

interface Setting {
  readonly deployment?: object;
  readonly move?: string;
  /** Resources of the stack's state, by URN. Default: none, it is the first run. */
  readonly state?: Readonly<Record<string, object>>;
  readonly base?: string;
  readonly command?: string;
  readonly deployed?: string;
  readonly outputs?: object;
}

const SET_URN =
  "urn:pulumi:acme::stackyard-runtime::stackyard:index:KubernetesRuntime$stackyard:index:ManifestSet::kubernetes-old-objects";

/** A state with a runtime that is with a provisioner, in namespace `runtimes` of the cluster eu. */
const stateWith = (provisioner: string, set: object = {}, record: object = {}): Record<string, object> => ({
  [SET_URN]: {
    type: "stackyard:index:ManifestSet",
    outputs: {
      cluster: PLATFORM.provisioners.eu?.type === "kubernetes" ? PLATFORM.provisioners.eu.cluster : "",
      namespace: "runtimes",
      set: "runtime-acme",
      objects: [STATEFUL_SET],
      record: {
        deployment: { ...DEPLOYMENT, version: "0.50.0" },
        platform: "organization/stackyard/dev",
        provisioner,
        revision: "r1",
        change: { command: "runtime up", at: "2026-01-01T00:00:00Z" },
        ...record,
      },
      ...set,
    },
  },
});

const STATEFUL_SET = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "runtime-acme" },
  spec: {
    replicas: 1,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" },
    volumeClaimTemplates: [{ metadata: { name: "data" } }],
  },
};

/** Runs the program as the engine would. */
async function run(setting: Setting): Promise<{ outputs: Record<string, unknown>; recorder: Recorder }> {
  const recorder = mock(
    ({ type }) => {
      if (type === CLICKHOUSE_DATABASE) return { host: "ch", port: 8443, secure: true, password: "p" };
      return { host: "http://host-1:9091", audienceUrl: "a", dataDir: "d", storageBytes: null, inventory: [] };
    },
    ({ token }) => {
      if (token === "pulumi:pulumi:readStackOutputs") return { outputs: setting.outputs ?? PLATFORM };
      if (token === "pulumi:pulumi:readStackResourceOutputs") return { outputs: setting.state ?? {} };
      return { result: [STATEFUL_SET] };
    },
  );
  pulumi.runtime.setAllConfig({
    "stackyard-runtime:platform": "organization/stackyard/dev",
    "stackyard-runtime:deployment": JSON.stringify({ slots: 1, version: "0.50.0", ...setting.deployment }),
    ...(setting.move === undefined ? {} : { "stackyard-runtime:move": setting.move }),
    ...(setting.deployed === undefined ? {} : { "stackyard-runtime:deployed": setting.deployed }),
    ...(setting.command === undefined ? {} : { "stackyard-runtime:command": setting.command }),
    ...(setting.base === undefined ? {} : { "stackyard-runtime:base": setting.base }),
  });
  const outputs = await runtimeProgram();
  return { outputs: await valueOf(pulumi.output(outputs)), recorder };
}

const refuses = (setting: Setting, message: RegExp, kind: FailureKind | null = "input") =>
  assert.rejects(run(setting), (error: Error) => {
    assert.match(error.message, message);
    assert.deepEqual([pulumi.RunError.isInstance(error), failureKind(error) ?? null], [true, kind]);
    return true;
  });

describe("the program of a runtime stack", () => {
  it("uses the default provisioner, and records the request in the resource", async () => {
    const { outputs, recorder } = await run({});
    assert.equal(outputs.provisioner, "eu");
    const { change, ...record } = recorder.only("stackyard:index:ManifestSet").inputs.record as RuntimeRecord;
    assert.deepEqual(record, {
      deployment: { ...DEPLOYMENT, version: "0.50.0" },
      platform: "organization/stackyard/dev",
      provisioner: "eu",
      revision: "r1",
    });
    assert.equal(change?.command, "pulumi up");
  });

  it("uses the environment's provisioner", async () => {
    const { outputs } = await run({ deployment: { environment: "dev" } });
    assert.equal(outputs.provisioner, "shared");
    assert.equal(outputs.host, "http://host-1:9091");
  });

  it("keeps the recorded provisioner when the default differs", async () => {
    assert.equal((await run({ state: stateWith("us") })).outputs.provisioner, "us");
  });

  it("keeps the provisioner that an older version recorded in a Stash", async () => {
    const stash = { type: "pulumi:index:Stash", outputs: { output: "us" } };
    const state = {
      ...stateWith("us", { record: undefined }),
      "urn:pulumi:acme::p::pulumi:index:Stash::provisioner": stash,
    };
    assert.equal((await run({ state })).outputs.provisioner, "us");
  });

  it("keeps its resource name and namespace when the provisioner's namespace changes", async () => {
    const { recorder } = await run({ state: stateWith("eu", { namespace: "before", cluster: "https://127.0.0.1:1" }) });
    const { name, inputs } = recorder.only("stackyard:index:ManifestSet");
    assert.deepEqual([name, inputs.namespace, inputs.allowMove], ["kubernetes-old-objects", "before", false]);
  });

  it("moves to the new namespace of its provisioner if the move is allowed", async () => {
    const { recorder } = await run({ state: stateWith("eu", { namespace: "before" }), move: "eu" });
    const { name, inputs } = recorder.only("stackyard:index:ManifestSet");
    assert.notEqual(name, "kubernetes-old-objects");
    assert.deepEqual([inputs.namespace, inputs.allowMove], ["runtimes", true]);
  });

  it("rejects another id, because objects are named after it", async () => {
    await refuses(
      { deployment: { id: "other" }, state: stateWith("eu") },
      /runtime-acme, and with this id.*runtime-other/,
    );
  });

  it("rejects another platform unless the move is allowed", async () => {
    const state = stateWith("eu", {}, { platform: "organization/stackyard/prod" });
    await refuses(
      { state },
      /is on platform organization\/stackyard\/prod; found platform organization\/stackyard\/dev/,
      "move",
    );
    assert.equal((await run({ state, move: "eu" })).outputs.provisioner, "eu");
  });

  it("hibernates existing objects without rendering, unless the request changes more", async () => {
    const { recorder } = await run({ deployment: { state: "hibernated" }, state: stateWith("eu") });
    const { inputs } = recorder.only("stackyard:index:ManifestSet");
    const [set] = inputs.objects as { spec: { replicas: number } }[];
    assert.equal(set?.spec.replicas, 0);
    assert.ok(!recorder.calls.some(({ token }) => token === "kubernetes:helm:template"));
    const changed = { version: "0.51.0", state: "hibernated" };
    const { recorder: second } = await run({ deployment: changed, state: stateWith("eu") });
    assert.ok(second.calls.some(({ token }) => token === "kubernetes:helm:template"));
  });

  describe("with a move while hibernated", () => {
    const asleep = { deployment: { ...DEPLOYMENT, version: "0.50.0", state: "hibernated" } };
    const setsOf = async (recorder: Recorder) => {
      await settled(recorder);
      return recorder.resources
        .filter(({ type }) => type === "stackyard:index:ManifestSet")
        .map(({ name, inputs }) => [name, (inputs.record as RuntimeRecord).former ?? false])
        .sort();
    };
    const OLD = ["kubernetes-old-objects", true];

    it("keeps the disk at the former place, without a replica, until the runtime wakes", async () => {
      const state = stateWith("eu", {}, asleep);
      const deployment = { provisioner: "us", state: "hibernated" };
      const { recorder } = await run({ deployment, state, move: "us" });
      const [moved, ...others] = await setsOf(recorder);
      assert.deepEqual(others, [OLD]);
      const former = recorder.resources.find(({ name }) => name === OLD[0]);
      const [set] = former?.inputs.objects as { spec: { replicas: number } }[];
      assert.equal(set?.spec.replicas, 0);
      assert.deepEqual([former?.inputs.name, former?.inputs.namespace], ["runtime-acme", "runtimes"]);

      const kept = stateWith("eu", {}, { ...asleep, former: true });
      const now = stateWith("us", {}, { deployment: { ...asleep.deployment, provisioner: "us" } });
      const urn = SET_URN.replace("old-objects", String(moved?.[0]).replace("kubernetes-", ""));
      const both = { ...kept, [urn]: { ...now[SET_URN] } };
      assert.deepEqual(await setsOf((await run({ deployment, state: both })).recorder), [moved, OLD]);
      const awake = { provisioner: "us", state: "running" };
      assert.deepEqual(await setsOf((await run({ deployment: awake, state: both })).recorder), [moved]);

      const present = { ...now[SET_URN] } as { outputs: { record: RuntimeRecord } };
      const { record } = present.outputs;
      const guarded = { ...record, deployment: { ...record.deployment, protected: true } };
      const state2 = { ...kept, [urn]: { ...present, outputs: { ...present.outputs, record: guarded } } };
      const loss = /is protected.*data-runtime-acme-0.*stackyard runtime unprotect acme/;
      await refuses({ deployment: { ...awake, protected: true }, state: state2 }, loss, "protected");
    });

    it("leaves nothing at the former place if its disk is retained", async () => {
      const state = stateWith("eu", { claimsWhenDeleted: "Retain" }, asleep);
      const { recorder } = await run({
        deployment: { provisioner: "us", state: "hibernated" },
        state,
        move: "us",
      });
      assert.equal((await setsOf(recorder)).length, 1);
    });
  });

  it("fails if the state has another request than the base of this request", async () => {
    await refuses({ base: "none", state: stateWith("eu") }, /changed by another process/, "changed");
    await run({ base: "none" });
  });

  it("rejects a stack file that is left from a destroyed runtime", async () => {
    await refuses({ deployed: "acme" }, /this stack has no runtime: its file is left.*runtime up acme --from-file/);
    await run({ deployed: "acme", state: stateWith("eu") });
    await run({ deployed: "another" });
  });

  it("records the change that protected it, and rather one of a service", async () => {
    const recorded = async (setting: Setting): Promise<string | undefined> => {
      const { recorder } = await run({ deployment: { protected: true }, ...setting });
      return (recorder.only("stackyard:index:ManifestSet").inputs.record as RuntimeRecord).protection?.command;
    };
    const by = (command: string, more: object): Promise<string | undefined> => {
      const deployment = { ...DEPLOYMENT, version: "0.50.0", protected: true };
      return recorded({ command, state: stateWith("eu", {}, { deployment, ...more }) });
    };
    assert.equal(await recorded({ command: "runtime protect", state: stateWith("eu") }), "runtime protect");
    const [own, service] = ["runtime protect", "service update"].map((command) => ({
      protection: { command, at: "2026-01-01T00:00:00Z" },
    }));
    assert.equal(await by("runtime up", own!), "runtime protect");
    assert.equal(await by("service wake", own!), "service wake");
    assert.equal(await by("service wake", service!), "service update");
    assert.equal(await by("runtime up", service!), "service update");
    assert.equal(await by("runtime up", {}), undefined);
  });

  it("removes the protection of a service only for the service or after a confirmation", async () => {
    const protection = { command: "service update", at: "2026-01-01T00:00:00Z" };
    const deployment = { ...DEPLOYMENT, version: "0.50.0", protected: true };
    const state = stateWith("eu", {}, { deployment, protection });
    const why =
      /protected through a service \(service update, 2026-01-01T00:00:00Z\).*stackyard runtime unprotect acme --local/;
    for (const command of [undefined, "runtime up", "runtime unprotect"]) {
      await refuses({ state, ...(command && { command }) }, why, "protected");
    }
    for (const command of ["service update", "runtime unprotect --yes"]) await run({ state, command });
    const own = stateWith("eu", {}, { deployment, protection: { ...protection, command: "runtime protect" } });
    await run({ state: own, command: "runtime unprotect" });
  });

  it("rejects a provisioner other than the recorded one, with the command that moves", async () => {
    await refuses(
      { deployment: { provisioner: "us" }, state: stateWith("eu") },
      /is with provisioner "eu".*--move/,
      "move",
    );
  });

  it("lets a static runtime change its host if a move to its own provisioner is allowed", async () => {
    const allow = async (move?: string) =>
      (await run({ deployment: { environment: "dev" }, move })).recorder.only("stackyard:index:SlotAllocation").inputs
        .allowMove as boolean;
    assert.equal(await allow("shared"), true);
    assert.equal(await allow(), false);
  });

  describe("with a ClickHouse database", () => {
    const main = { type: "static", url: "https://admin:p@ch", prefix: "rill_", sources: [], passwordVersion: 1 };
    const outputs = { ...PLATFORM, clickhouse: { main: { ...main, databaseWhenDeleted: "Delete", default: false } } };
    const deployment = { resources: { clickhouse: {} } };
    const SECRET_URN =
      "urn:pulumi:acme::stackyard-runtime::stackyard:index:RuntimeDatabase$stackyard:index:ManifestSet::clickhouse-secret";
    const secretSet = {
      type: "stackyard:index:ManifestSet",
      outputs: { namespace: "elsewhere", set: "a-secret", objects: [] },
    };
    const setsOf = ({ resources }: Recorder) => {
      const sets = resources.filter(({ type }) => type === "stackyard:index:ManifestSet");
      return sets.map(({ name, inputs: { namespace, allowMove } }) => [name, namespace, allowMove]).sort();
    };

    it("puts the Secret next to the runtime, and moves both only if a move is allowed", async () => {
      const state = { [SECRET_URN]: secretSet, ...stateWith("eu", { namespace: "before" }) };
      const stays = await run({ outputs, deployment, state });
      assert.deepEqual(setsOf(stays.recorder), [
        ["clickhouse-secret", "before", false],
        ["kubernetes-old-objects", "before", false],
      ]);
      const moved = setsOf((await run({ outputs, deployment, state, move: "eu" })).recorder);
      assert.deepEqual(
        moved.map(([, namespace, allowMove]) => [namespace, allowMove]),
        [
          ["runtimes", true],
          ["runtimes", true],
        ],
      );
    });

    it("keeps a database that is no longer requested, without its Secret", async () => {
      const made = { ...main, database: "rill_acme", user: "rill_acme", owner: "o", access: true, host: "ch" };
      const database = { type: CLICKHOUSE_DATABASE, outputs: { ...made, whenDeleted: "Delete" } };
      const { outputs: known, recorder } = await run({ state: { ...stateWith("eu"), "urn:d": database } });
      const { inputs } = recorder.only(CLICKHOUSE_DATABASE);
      assert.deepEqual([inputs["database"], inputs["access"]], ["rill_acme", false]);
      assert.equal(setsOf(recorder).length, 1);
      assert.ok(!("clickhouse" in known));
    });
  });

  it("reports config faults before it reads or creates anything", async () => {
    const recorder = mock(
      () => ({}),
      () => ({}),
    );
    pulumi.runtime.setAllConfig({ "stackyard-runtime:deployment": '{"slots":0}', "stackyard-runtime:plaform": "x" });
    await assert.rejects(runtimeProgram(), /has 4 faults; nothing was changed/);
    assert.deepEqual(
      [recorder.calls, recorder.resources.filter(({ type }) => type !== "pulumi:pulumi:Stack")],
      [[], []],
    );
  });

  it("fails with advice if the platform stack has no outputs", async () => {
    await refuses(
      { outputs: {} },
      /platform stack "organization\/stackyard\/dev" has no outputs.*pulumi up -s dev/,
      null,
    );
  });

  it("fails with advice if it can't decrypt the secrets of the platform stack", async () => {
    await refuses(
      { outputs: { ...PLATFORM, ledgerUrl: {} } },
      /does not decrypt secrets of platform stack "organization\/stackyard\/dev": ledgerUrl; .*change-secrets-provider PROVIDER -s dev/,
      null,
    );
  });

  it("fails without showing values if the outputs of the platform stack are invalid", async () => {
    await refuses(
      { outputs: { ...PLATFORM, provisioners: "s3cret", slot: { cpu: 1 } } },
      /^(?!.*s3cret)[^]*is not what a runtime needs[^]*- provisioners: [^]*- slot\.memoryGb: /,
      null,
    );
  });
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { shootOf } from "../../../components/runtime/types/gardener/shoot/shoot";
import { messageOf } from "../../../foundation/errors";
import type { Context } from "../../../foundation/pulumi/resource";
import { Client } from "../../../kubernetes/client/client";
import { at, type KubeObject } from "../../../kubernetes/objects/objects";
import { forVersion } from "../../../kubernetes/gardener/versionFields";
import { changeShoot, shootRefOf } from "../../../kubernetes/gardener/write";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import { shootKind } from "../../../engine/orphans/gardener/shoots";
import type { ShootOrphan } from "../../../engine/orphans/orphan";
import { recordOn } from "../../../kubernetes/owners/annotations";
import type { ShootInputs, ShootState } from "../../../provider/resources/shoot/inputs";
import { dataGuard } from "../../../provider/resources/dataGuard/dataGuard";
import type { GuardInputs } from "../../../provider/resources/dataGuard/inputs";
import { directorRuntime } from "../../../provider/resources/directorRuntime/directorRuntime";
import type { RuntimeState } from "../../../provider/resources/directorRuntime/inputs";
import type { KymaState } from "../../../provider/resources/kymaInstallation/inputs";
import { kymaInstallation } from "../../../provider/resources/kymaInstallation/kymaInstallation";
import { shoot as handler } from "../../../provider/resources/shoot/shoot";
import { Gardener } from "../../doubles/gardener/gardener";
import { GCP } from "../../unit/gardener/clusters";

describe("the ownership of a Shoot", () => {
  let gardener: Gardener;
  const logged: string[] = [];
  const context = (stack: string, preview = false): Context => ({
    urn: `urn:pulumi:${stack}::stackyard-runtime::stackyard:index:Shoot::shoot`,
    backend: "file:///state",
    preview,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (severity, message) => logged.push(`${severity}: ${message}`),
  });

  before(async () => {
    const project = `o${randomBytes(1).toString("hex")}`;
    gardener = await Gardener.start({ yard: process.env["STACKYARD_TEST_YARD"] ?? "", stepMs: 20, project });
  });
  after(() => gardener.stop());
  beforeEach(() => void logged.splice(0));

  function inputsOf(name: string, instance: string, maximum = 4): ShootInputs {
    const { namespace, kubeconfig } = gardener;
    const binding = { kind: "SecretBinding" as const, name: "gcp" };
    const options = { name, namespace, binding, runtimeId: instance, hibernated: false };
    const request = { ...GCP, kubernetesVersion: "1.32.8", machineType: "n1-standard-4", autoScalerMax: maximum };
    const shoot = shootOf(request, options) as KubeObject;
    return { kubeconfig, cluster: "https://gardener.example.com", instance, shoot };
  }

  interface Made {
    readonly inputs: ShootInputs;
    readonly state: ShootState;
  }

  const create = async (name: string, stack: string, instance = `of-${stack}`): Promise<Made> => {
    const inputs = inputsOf(name, instance);
    return { inputs, state: (await handler.create(context(stack), inputs)).state };
  };
  const update = (made: Made, stack: string, inputs: ShootInputs): Promise<ShootState> =>
    handler.update(context(stack), "id", made, inputs);

  it("goes to one of two concurrent creations; the other fails and names the owner", async () => {
    for (let round = 0; round < 4; round++) {
      const name = `race${round}`;
      const tries = await Promise.allSettled([create(name, "one"), create(name, "two")]);
      const [won, ...more] = tries.filter((each) => each.status === "fulfilled").map(({ value }) => value);
      assert.ok(won && more.length === 0, `${more.length + 1} created it`);
      const [lost] = tries.filter((each) => each.status === "rejected").map(({ reason }) => messageOf(reason));
      const owner = won.inputs.instance === "of-one" ? "one" : "two";
      assert.match(lost ?? "", new RegExp(`belongs to stack stackyard-runtime/${owner} in .*Nothing was changed`));
      const live = await gardener.shoot(name);
      assert.equal(live && recordOn(live)?.owner, won.inputs.instance);
      assert.deepEqual([live?.metadata.uid, recordOn(live!)?.phase], [won.state.uid, "applied"]);
    }
  });

  it("rejects another stack in preview and update; its destroy leaves the cluster alone", async () => {
    const made = await create("kept", "one");
    await assert.rejects(
      handler.create(context("two", true), inputsOf("kept", "of-two")),
      /belongs to stack .*\/one in /,
    );
    await assert.rejects(create("kept", "two"), /belongs to stack stackyard-runtime\/one in /);
    const theirs = {
      inputs: inputsOf("kept", "of-two"),
      state: { ...inputsOf("kept", "of-two"), uid: made.state.uid! },
    };
    await handler.delete(context("two"), "id", theirs);
    assert.match(logged.join("\n"), /warning: .* is left alone: it belongs to stack stackyard-runtime\/one in /);
    assert.equal((await gardener.shoot("kept"))?.metadata.deletionTimestamp, undefined);
    await handler.delete(context("one"), "id", made);
    assert.equal(await gardener.shoot("kept"), undefined);
  });

  it("is checked again on the deletion, so that a stack that adopted the Shoot meanwhile keeps it", async () => {
    const made = await create("taken", "one");
    const merge = Reflect.get(Client.prototype, "merge");
    Client.prototype.merge = async function (this: Client, ...args: Parameters<Client["merge"]>) {
      Client.prototype.merge = merge;
      await handler.create(context("two"), { ...made.inputs, adopt: made.inputs.instance });
      return merge.apply(this, args);
    };
    try {
      await handler.delete(context("one"), "id", made);
    } finally {
      Client.prototype.merge = merge;
    }
    assert.match(logged.join("\n"), /warning: .* is left alone: it belongs to stack stackyard-runtime\/two in /);
    const live = await gardener.shoot("taken");
    assert.deepEqual([live?.metadata.uid, live?.metadata.deletionTimestamp], [made.state.uid, undefined]);
  });

  it("rejects a state older than the cluster in update and destroy", async () => {
    const made = await create("older", "one");
    const next = inputsOf("older", "of-one", 5);
    const state = await update(made, "one", next);
    assert.equal(state.ownerGeneration, 2);
    await assert.rejects(update(made, "one", next), /has generation 2, and the state .* is older \(generation 1\)/);
    await assert.rejects(handler.delete(context("one"), "id", made), /is older \(generation 1\)/);
    const read = await handler.read(context("one"), "id", made);
    assert.equal(read?.state.ownerGeneration, 2);
    await handler.delete(context("one"), "id", { inputs: next, state });
  });

  it("is asked by the guard of a runtime before anything in the cluster is deleted", async () => {
    const made = await create("guarded", "one");
    const partsOf = ({ inputs, state }: Made): GuardInputs => {
      const owner = { id: inputs.instance!, generation: state.ownerGeneration! };
      const { kubeconfig, namespace } = gardener;
      return { parts: [{ kubeconfig, type: "shoot", namespace, name: "guarded", owner }] };
    };
    const [older, inputs] = [partsOf(made), inputsOf("guarded", "of-one", 5)];
    await dataGuard.create(context("one"), older);
    const newer = { inputs, state: await update(made, "one", inputs) };
    const failed = { inputs: older, state: {} };
    // The update has failed after the Shoot: the owner may destroy it.
    await dataGuard.delete(context("one"), "id", failed);
    const { changes } = await dataGuard.diff(context("one"), "id", failed, partsOf(newer));
    assert.deepEqual(changes, { "parts[0].owner.generation": "update" });
    await dataGuard.update(context("one"), "id", failed, partsOf(newer));
    await assert.rejects(
      dataGuard.delete(context("one"), "id", failed),
      /shoot \S+\/guarded has generation 2, and the state .* is older \(generation 1\)/,
    );
    const read = await dataGuard.read(context("one"), "id", failed);
    assert.deepEqual(read?.inputs.parts, partsOf(newer).parts);
    // A copy in another backend: nothing of the runtime is deleted in the same run.
    const copy = { ...context("one"), backend: "file:///copy" };
    await dataGuard.delete(copy, "id", failed);
    const kyma = { kubeconfig: "none", cluster: "none" } as unknown as KymaState;
    await kymaInstallation.delete(copy, "id", { inputs: kyma, state: kyma });
    const registration = { url: "none" } as unknown as RuntimeState;
    await directorRuntime.delete(copy, "id", { inputs: registration, state: registration });
    await handler.delete(copy, "id", made);
    for (const what of ["Kyma", "the registration", "Shoot \\S+/guarded"])
      assert.match(
        logged.join("\n"),
        new RegExp(`warning: ${what} is left alone: .* stackyard-runtime/one in file:///state`),
      );
    await dataGuard.delete(context("one"), "id", { inputs: partsOf(newer), state: {} });
    await handler.delete(context("one"), "id", newer);
    assert.equal(await gardener.shoot("guarded"), undefined);
  });

  it("continues an update that was interrupted before the state was stored", async () => {
    const { inputs, state } = await create("killed", "one");
    // As the engine's driver leaves the state of a creation, and of a change, that was killed.
    const again = await update({ inputs, state: { ...inputs } }, "one", inputs);
    assert.equal(again.uid, state.uid);
    const interrupted = { inputs, state: { ...state, ownerGeneration: 0, interrupted: true } };
    const third = await update(interrupted, "one", inputs);
    assert.deepEqual([third.ownerGeneration, third.interrupted], [3, undefined]);
    await handler.delete(context("one"), "id", { inputs, state: third });
  });

  it("passes to the stack that adopts the Shoot; the earlier stack's old state is rejected", async () => {
    const made = await create("lost", "one");
    const inputs = { ...made.inputs, adopt: "of-one" };
    await handler.create(context("two", true), inputs);
    assert.equal(recordOn((await gardener.shoot("lost"))!)?.stack, "stackyard-runtime/one");
    const { state } = await handler.create(context("two"), inputs);
    assert.equal(recordOn((await gardener.shoot("lost"))!)?.stack, "stackyard-runtime/two");
    await assert.rejects(update(made, "one", inputsOf("lost", "of-one", 5)), /stackyard-runtime\/two/);
    await handler.delete(context("two"), "id", { inputs, state });
    assert.equal(await gardener.shoot("lost"), undefined);
  });

  it("is recorded with the garden, by the next update where an older state lacks it", async () => {
    const { namespace, garden } = gardener;
    const uid = (await garden.get({ apiVersion: "v1", kind: "Namespace", name: namespace }))?.metadata.uid;
    const { inputs, state } = await create("garden", "one");
    const { gardenUid, ...olderState } = state;
    assert.equal(gardenUid, uid);
    const older: Made = { inputs, state: olderState };
    const expecting = { ...inputs, expectedGardenUid: uid! };
    assert.deepEqual((await handler.diff(context("one"), "id", older, expecting)).changes, {});
    const updated = await update(older, "one", inputsOf("garden", "of-one", 5));
    assert.equal(updated.gardenUid, uid);
    const another =
      /is another garden \(UID \S+ of the project's namespace \S+\) than the one that the provisioner was/;
    const elsewhere = { ...inputs, expectedGardenUid: "other", adopt: "of-one" };
    for (const preview of [true, false])
      await assert.rejects(handler.create(context("two", preview), elsewhere), another);
    await handler.delete(context("one"), "id", { inputs, state: updated });
  });

  it("passes to only one of two stacks that adopt or update it at the same moment before it had a record", async () => {
    const made = await create("bare", "one");
    const { ownerGeneration, ...state } = made.state;
    assert.equal(ownerGeneration, 1);
    const inputs = inputsOf("bare", "of-one", 5);
    const ways: ((stack: string) => Promise<unknown>)[] = [
      (stack) => handler.create(context(stack), { ...made.inputs, adopt: "of-one" }),
      (stack) => update({ inputs: made.inputs, state }, stack, inputs),
    ];
    for (const way of ways) {
      await withoutRecordOf("bare");
      const ends = await Promise.allSettled(["two", "three"].map(way));
      const lost = ends.flatMap((end) => (end.status === "rejected" ? [messageOf(end.reason)] : []));
      assert.equal(lost.length, 1, `${lost.length} failed`);
      const winner = recordOn((await gardener.shoot("bare"))!)?.stack ?? "";
      assert.match(lost[0] ?? "", new RegExp(`belongs to stack ${winner} in `));
    }
    await withoutRecordOf("bare");
    const shoot = (await gardener.shoot("bare"))!;
    const garden = { kubeconfig: gardener.kubeconfig, namespace: gardener.namespace, cluster: "here" };
    const orphan = { type: "gardener", id: "bare", garden, shoot, owner: "of-one" } as unknown as ShootOrphan;
    const offers = await Promise.allSettled(
      ["two", "three"].map(async (stack) => {
        await shootKind.offer?.(orphan, `x/${stack} in s3://a`);
      }),
    );
    assert.equal(offers.filter(({ status }) => status === "fulfilled").length, 1);
    await withoutRecordOf("bare");
    await handler.delete(context("one"), "id", { inputs, state });
  });

  /** As a version without records left it. */
  async function withoutRecordOf(name: string): Promise<void> {
    const shoot = (await gardener.shoot(name))!;
    const { annotations = {} } = shoot.metadata;
    const gone = Object.keys(annotations).filter(
      (key) => key.startsWith("stackyard.dev/owner-") && key !== OWNER_ANNOTATION,
    );
    const removed = Object.fromEntries(gone.map((key) => [key, null]));
    await gardener.garden.merge(shootRefOf(shoot), { metadata: { annotations: removed } });
  }

  it("removes fields that are no longer requested on the first update", async () => {
    const schedules = [{ start: "0 20 * * *" }];
    const inputs = inputsOf("field", "of-one");
    const spec = { ...(inputs.shoot["spec"] as object), hibernation: { enabled: false, schedules } };
    const first = { ...inputs, shoot: { ...inputs.shoot, spec } };
    const { state } = await handler.create(context("one"), first);
    const live = await gardener.shoot("field");
    assert.ok(at(live, "spec", "hibernation", "schedules"));
    const after = await update({ inputs: first, state }, "one", inputs);
    assert.equal(at(await gardener.shoot("field"), "spec", "hibernation", "schedules"), undefined);
    await handler.delete(context("one"), "id", { inputs, state: after });
  });

  it("allows a change only of the Shoot that was read; another UID or version is rejected", async () => {
    const made = await create("named", "one");
    const live = (await gardener.shoot("named"))!;
    const { garden } = gardener;
    const { shoot } = forVersion(made.inputs.shoot);
    const other = { ...live, metadata: { ...live.metadata, uid: "00000000-0000-4000-8000-000000000000" } };
    await assert.rejects(changeShoot(garden, shoot, other), /uid/i);
    const old = { ...live, metadata: { ...live.metadata, resourceVersion: "1" } };
    await assert.rejects(changeShoot(garden, shoot, old), /the object has been modified/);
    await handler.delete(context("one"), "id", made);
    await assert.rejects(changeShoot(garden, shoot, live), /uid mismatch|not found/i);
    assert.equal(await gardener.shoot("named"), undefined);
  });
});

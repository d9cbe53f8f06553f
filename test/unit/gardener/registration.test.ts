import assert from "node:assert/strict";
import { readDeployments } from "../../../provider/resources/provisionerRegistration/ask";
import type { InCluster } from "../../../provider/resources/provisionerRegistration/registered";
import { registration } from "../../../provider/resources/provisionerRegistration/registration";
import type { Context } from "../../../foundation/pulumi/resource";
import { Garden } from "./garden";

const PLATFORM = "organization/stackyard/test";

describe("a registered Gardener provisioner", () => {
  let garden: Garden;
  let other: Garden;
  const { signal } = new AbortController();
  const context: Context = {
    urn: "urn:test",
    backend: "file:///state",
    preview: false,
    signal,
    timeoutSeconds: undefined,
    log: (severity, message) => assert.fail(`${severity}: ${message}`),
  };
  const said = { signal, log: assert.fail, backend: "test" };

  beforeEach(async () => {
    [garden, other] = await Promise.all([new Garden().start(), new Garden().start()]);
    other.projectUid = "project-2";
    shoot("a", { provisioner: "garden" });
    shoot("b", { provisioner: "garden" });
    shoot("c", { provisioner: "twin" });
    shoot("d", { provisioner: "garden", platform: "organization/stackyard/prod" });
    garden.add("old", { "stackyard.dev/owner-id": "1", "kcp.provisioner.kyma-project.io/runtime-id": "the-old" });
    garden.add("theirs", { "kcp.provisioner.kyma-project.io/runtime-id": "4711" });
  });
  afterEach(() => {
    garden.stop();
    other.stop();
  });

  function shoot(name: string, origin: object): void {
    const said = Object.entries({ deployment: `the-${name}`, platform: PLATFORM, ...origin });
    const annotations = Object.fromEntries(said.map(([key, value]) => [`stackyard.dev/${key}`, String(value)]));
    garden.add(name, { ...annotations, "stackyard.dev/owner-id": "1" });
  }
  const OTHER =
    /where provisioner garden leads, is another garden \(UID project-2.*\) than the one .*\(UID project-1\)/;
  const inputs = (more: Partial<InCluster> = {}): InCluster => ({
    ...{ kubeconfig: garden.kubeconfig(), platform: PLATFORM, provisioner: "garden", namespace: "garden-dev" },
    ...{ gives: "cluster", alone: false, ...more },
  });
  const old = (more: Partial<InCluster> = {}) => ({ inputs: inputs(more), state: inputs(more) });
  const remove = (more: Partial<InCluster> = {}) => registration.delete(context, "id", old(more));
  const change = (more: Partial<InCluster>) => registration.update(context, "id", old(), inputs(more));

  it("accepts the inputs of the program and rejects an unknown value of gives", async () => {
    assert.deepEqual((await registration.check(context, { ...inputs() })).failures, []);
    const { failures } = await registration.check(context, { ...inputs(), gives: "shoots" });
    assert.match(failures.map(({ reason }) => reason).join(), /expected clickhouse or cluster/);
  });

  it("cannot be removed while deployments use its clusters", async () => {
    await assert.rejects(
      remove(),
      /^Error: provisioner garden cannot be removed while it has 2 deployments: the-a, the-b\. .*'stackyard:allowRemoval\[0\]' garden$/,
    );
    await remove({ provisioner: "unused" });
    await remove({ platform: "organization/stackyard/other" });
  });

  it("counts Shoots without a provisioner annotation only if no other provisioner uses the project", async () => {
    assert.deepEqual(await readDeployments(said, inputs({ provisioner: "unused", alone: true })), {
      inUse: "1 deployment: the-old",
    });
    assert.deepEqual(await readDeployments(said, inputs({ provisioner: "unused" })), {});
  });

  it("cannot get another project or garden while deployments use its clusters", async () => {
    const refused = /garden cannot get another place or type while it has 2 deployments: the-a, the-b/;
    await assert.rejects(change({ namespace: "garden-other" }), refused);
    await assert.rejects(change({ kubeconfig: other.kubeconfig() }), refused);
    await assert.rejects(change({ gives: undefined }), refused);
    assert.match(
      (await readDeployments(said, { ...inputs(), next: inputs({ kubeconfig: other.kubeconfig() }) })).inUse ?? "",
      /^2 deployments/,
    );
  });

  it("accepts another address of its garden, and another token after the old token expires", async () => {
    await change({ kubeconfig: garden.kubeconfig("good", "localhost") });
    const before = inputs();
    garden.token = "new";
    await registration.update(context, "id", { inputs: before, state: before }, inputs());
    assert.deepEqual(await readDeployments(said, { ...before, next: inputs() }), {});
  });

  it("has the UID of its project's namespace, also after an update of an older platform", async () => {
    const { state } = await registration.create(context, inputs());
    assert.equal(state.clusterUid, "project-1");
    assert.deepEqual(await registration.diff(context, "id", { inputs: inputs(), state }, inputs()), { changes: {} });
    assert.deepEqual((await registration.diff(context, "id", old(), inputs())).changes, { clusterUid: "update" });
    assert.equal((await change({})).clusterUid, "project-1");
    garden.mayReadProject = false;
    assert.equal(
      (await registration.create(context, inputs({ kubeconfig: garden.kubeconfig("good", "localhost") }))).state
        .clusterUid,
      undefined,
    );
  });

  it("is refused where its address leads to another garden, and is not removed there", async () => {
    for (const [uid, seen] of [
      ["project-2", OTHER],
      [undefined, /is another garden \(UID none of .* garden-dev\)/],
    ] as const) {
      other.projectUid = uid;
      const there = inputs({ kubeconfig: other.kubeconfig("good", uid === undefined ? "localhost" : "127.0.0.1") });
      const before = { inputs: there, state: { ...there, clusterUid: "project-1" } };
      await assert.rejects(registration.diff(context, "id", before, there), seen);
      await assert.rejects(registration.read(context, "id", before), seen);
      await assert.rejects(registration.delete(context, "id", before), /it is unknown which .* is another garden/);
    }
    assert.ok(!other.asked.some((request) => request.includes("shoots")), other.asked.join("\n"));
  });

  it("cannot change if its old garden rejects the token and the new garden has none of its clusters", async () => {
    garden.token = "new";
    const before = inputs({ kubeconfig: garden.kubeconfig("gone") });
    const next = inputs({ kubeconfig: other.kubeconfig() });
    await assert.rejects(
      registration.update(context, "id", { inputs: before, state: before }, next),
      /it is unknown which deployments use provisioner garden: .*not accepted/,
    );
  });
});

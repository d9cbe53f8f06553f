import assert from "node:assert/strict";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import type { ReleaseInputs, ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { clusterIdentity } from "../../../provider/resources/clusterIdentity/clusterIdentity";
import { OWNER_ANNOTATION } from "../../../kubernetes/identity/ownerId";
import type { ClusterAccess } from "../../../kubernetes/identity/clusterAccess";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { manifestSet } from "../../../provider/resources/manifestSet/manifestSet";
import { ownerLabels } from "../../../kubernetes/owners/ownership";
import type { JobInputs } from "../../../provider/resources/terasliceJob/inputs";
import type { Registered } from "../../../provider/resources/provisionerRegistration/registered";
import { registration } from "../../../provider/resources/provisionerRegistration/registration";
import { terasliceJob } from "../../../provider/resources/terasliceJob/terasliceJob";
import { FakeCluster, wayTo, type Metadata } from "./clusters";

const OURS = "3a1f";
const labels = ownerLabels({ set: "acme", namespace: "ns" });
const NOWHERE = wayTo("http://127.0.0.1:1");

describe("the cluster of a resource", () => {
  const clusters: FakeCluster[] = [];
  const cluster = async (uid: string | undefined, objects?: Readonly<Record<string, Metadata>>) => {
    const made = await new FakeCluster(uid, objects).start();
    clusters.push(made);
    return made;
  };
  let logged: string[] = [];
  beforeEach(() => (logged = []));
  afterEach(() => clusters.splice(0).forEach((one) => one.stop()));

  const context: Context = {
    urn: "urn:pulumi:dev::p::stackyard:index:ManifestSet::acme",
    backend: "file:///state",
    preview: false,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (severity, message) => logged.push(`${severity}: ${message}`),
  };
  const inputsAt = (way: ClusterAccess): SetInputs => ({
    ...way,
    name: "acme",
    namespace: "ns",
    objects: [],
    timeoutSeconds: 5,
  });
  const stateOf = (inputs: SetInputs, more: Partial<SetState>): SetState => ({
    ...inputs,
    inventory: ["v1/ConfigMap/ns/a"],
    storageBytes: null,
    ...more,
  });
  const known = (uid: string): Partial<SetState> => ({ clusterUid: uid, ownerId: OURS });
  const diff = async (was: ClusterAccess, state: Partial<SetState>, now: ClusterAccess) => {
    const [old, next] = [inputsAt(was), inputsAt(now)];
    return (await manifestSet.diff(context, "id", { inputs: old, state: stateOf(old, state) }, next)).changes;
  };
  const update = (was: ClusterAccess, state: Partial<SetState>, now: ClusterAccess) => {
    const [old, next] = [inputsAt(was), inputsAt(now)];
    return manifestSet.update(context, "id", { inputs: old, state: stateOf(old, state) }, next);
  };
  const IN_PLACE = { kubeconfig: "update", cluster: "update" };
  const REPLACED = { kubeconfig: "update-replace", cluster: "update-replace" };

  it("is not queried if its access is unchanged", async () => {
    const one = await cluster("one");
    assert.deepEqual(await diff(one.way(), known("one"), one.way()), {});
    assert.deepEqual(one.asked, []);
  });

  it("stays the same at another address, with one request and a change of the state only", async () => {
    const one = await cluster("one");
    const [old, next] = [one.way(), one.way("localhost")];
    assert.deepEqual(await diff(old, known("one"), next), IN_PLACE);
    const state = await update(old, known("one"), next);
    assert.deepEqual([state.cluster, state.clusterUid, state.ownerId], [next.cluster, "one", OURS]);
    assert.deepEqual(one.asked, ["/api/v1/namespaces/kube-system"]);
  });

  it("is another cluster if its UID differs, even at the same address, and the set is replaced", async () => {
    const [one, two] = [await cluster("one"), await cluster("two")];
    assert.deepEqual(await diff(one.way(), known("one"), two.way()), REPLACED);
    const credentials = { ...two.way(), kubeconfig: `${two.way().kubeconfig} ` };
    assert.deepEqual(await diff(two.way(), known("one"), credentials), { kubeconfig: "update-replace" });
    await assert.rejects(update(one.way(), known("one"), two.way()), /is another cluster .*nothing was changed/);
  });

  it("causes no replacement while its address is unknown or does not answer", async () => {
    const one = await cluster("one");
    const unknown = { kubeconfig: UNKNOWN, cluster: UNKNOWN };
    assert.deepEqual(await diff(one.way(), known("one"), unknown), IN_PLACE);
    assert.match(logged.join("\n"), /info: whether it stays in its cluster \(http:\S+\) shows when/);
    assert.deepEqual(await diff(one.way(), known("one"), NOWHERE), IN_PLACE);
    assert.match(
      logged.join("\n"),
      /warning: the cluster at http:\S+:1 cannot be reached.* Nothing is replaced before/,
    );
  });

  describe("in a state without a UID", () => {
    it("is identified by its address", async () => {
      const one = await cluster("one");
      const renewed = { ...one.way(), kubeconfig: `${one.way().kubeconfig} ` };
      assert.deepEqual(await diff(one.way(), {}, renewed), { kubeconfig: "update" });
    });

    it("is queried with the old access if that still works", async () => {
      const [one, two] = [await cluster("one"), await cluster("two")];
      assert.deepEqual(await diff(one.way(), {}, one.way("localhost")), IN_PLACE);
      assert.deepEqual(await diff(one.way(), {}, two.way()), REPLACED);
    });

    it("is identified by its objects if the old access no longer works", async () => {
      const [one, two] = [await cluster("one", { a: { labels } }), await cluster("two", { a: { labels: {} } })];
      assert.deepEqual(await diff(NOWHERE, {}, one.way()), IN_PLACE);
      await assert.rejects(
        diff(NOWHERE, {}, two.way()),
        /it is unknown whether .* is the same cluster: the state was written before UIDs.* for one update; or, if .* pulumi state delete 'urn:pulumi:dev::/,
      );
    });
  });

  it("is identified by the owner ids of its objects if the user cannot read its UID", async () => {
    const annotated = { a: { labels, annotations: { [OWNER_ANNOTATION]: OURS } } };
    const [one, two] = [await cluster(undefined, annotated), await cluster(undefined, { a: { labels } })];
    assert.deepEqual(await diff(NOWHERE, known("one"), one.way()), IN_PLACE);
    await assert.rejects(
      diff(NOWHERE, known("one"), two.way()),
      /lacks the right to get the namespace kube-system.* resourceNames: \[kube-system\]/,
    );
  });

  it("is compared in the same way for releases and jobs", async () => {
    const [one, two] = [await cluster("one"), await cluster("two")];
    const release = { name: "shop", namespace: "ns", sources: [], digest: "sha256:1", format: "plain+v0" };
    const releaseTo = async (was: ClusterAccess, now: ClusterAccess) => {
      const [old, next] = [
        { ...release, ...was },
        { ...release, ...now },
      ] as unknown as [ReleaseInputs, ReleaseInputs];
      const state: ReleaseState = { ...old, inventory: [], fingerprints: [], ...known("one") } as ReleaseState;
      const both = { inputs: old, state };
      const { changes, deleteBeforeReplace } = await bundleRelease.diff(context, "id", both, next);
      return {
        changes,
        deleteBeforeReplace: deleteBeforeReplace ?? false,
        update: () => bundleRelease.update(context, "id", both, next),
      };
    };
    const moved = await releaseTo(one.way(), one.way("localhost"));
    assert.deepEqual(moved.changes, IN_PLACE);
    assert.equal((await moved.update()).clusterUid, "one");
    const other = await releaseTo(one.way(), two.way());
    assert.deepEqual([other.changes, other.deleteBeforeReplace], [REPLACED, false]);

    const job = {
      namespace: "ns",
      service: "master",
      port: 1,
      owner: "o",
      job: {},
      state: "running",
      assets: [],
      footprint: "",
    };
    const jobTo = async (was: ClusterAccess, now: ClusterAccess) => {
      const [old, next] = [
        { ...job, ...was },
        { ...job, ...now },
      ] as unknown as [JobInputs, JobInputs];
      const both = { inputs: old, state: { jobId: "1", registered: {}, clusterUid: "one" } };
      const { changes } = await terasliceJob.diff(context, "id", both, next);
      return { changes, update: () => terasliceJob.update(context, "id", both, next) };
    };
    const there = await jobTo(one.way(), one.way("localhost"));
    assert.deepEqual(there.changes, IN_PLACE);
    assert.equal((await there.update()).clusterUid, "one");
    assert.deepEqual((await jobTo(one.way(), two.way())).changes, REPLACED);
    const elsewhere = {
      inputs: { ...job, ...two.way() } as unknown as JobInputs,
      state: { jobId: "1", registered: {}, clusterUid: "one" },
    };
    const OTHER = /is another cluster \(UID two\) than the one that this is in \(UID one\)/;
    await assert.rejects(terasliceJob.read(context, "id", elsewhere), OTHER);
    await assert.rejects(terasliceJob.delete(context, "id", elsewhere), OTHER);
    await assert.rejects(terasliceJob.update(context, "id", elsewhere, elsewhere.inputs), OTHER);
  });

  it("is not another one than a new set expects, in the preview and before anything is created", async () => {
    const two = await cluster("two");
    const wanted = { ...inputsAt(two.way()), expectedClusterUid: "one" };
    for (const preview of [true, false]) {
      await assert.rejects(
        manifestSet.create({ ...context, preview }, wanted),
        /is another cluster \(UID two\) than the one that the provisioner was registered in \(UID one\)\. Nothing was changed.* update its platform/,
      );
    }
    assert.ok(
      two.asked.every((url) => !url.includes("configmaps/x")),
      two.asked.join("\n"),
    );
    assert.deepEqual(await diff(two.way(), known("two"), two.way()), {}, "it counts for new sets only");
  });
});

describe("a registered provisioner", () => {
  const logged: string[] = [];
  const context: Context = {
    urn: "urn",
    backend: "file:///state",
    preview: false,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (severity, message) => logged.push(`${severity}: ${message}`),
  };
  const registered = ({ kubeconfig }: { readonly kubeconfig: string }): Registered => ({
    kubeconfig,
    platform: "organization/stackyard/dev",
    provisioner: "eu",
    namespace: "ns",
    alone: false,
  });
  let one: FakeCluster;
  let two: FakeCluster;
  before(async () => {
    [one, two] = [await new FakeCluster("one").start(), await new FakeCluster("two").start()];
  });
  after(() => [one, two].forEach((cluster) => cluster.stop()));
  const OTHER = /where provisioner eu leads, is another cluster \(UID two\) than the one .*\(UID one\)/;

  it("has the UID of its cluster, also after an update of an older platform", async () => {
    const inputs = registered(one.way());
    const { state } = await registration.create(context, inputs);
    assert.equal(state.clusterUid, "one");
    assert.deepEqual(await registration.diff(context, "id", { inputs, state }, inputs), { changes: {} });
    const older = { inputs, state: inputs };
    assert.deepEqual(await registration.diff(context, "id", older, inputs), { changes: { clusterUid: "update" } });
    assert.equal((await registration.update(context, "id", older, inputs)).clusterUid, "one");
  });

  it("is refused where its address leads to another cluster, and is not removed there", async () => {
    const inputs = registered(two.way());
    const old = { inputs, state: { ...inputs, clusterUid: "one" } };
    await assert.rejects(registration.diff(context, "id", old, inputs), OTHER);
    await assert.rejects(registration.read(context, "id", old), OTHER);
    await assert.rejects(registration.delete(context, "id", old), OTHER);
  });

  it("keeps the UID while the cluster does not answer, and gets another one with another address", async () => {
    const inputs = registered(NOWHERE);
    const old = { inputs, state: { ...inputs, clusterUid: "one" } };
    assert.deepEqual(await registration.diff(context, "id", old, inputs), { changes: {} });
    assert.match(logged.join(), /warning: .*so it is unknown which cluster is there/);
    const moved = registered(two.way());
    const known = { inputs: registered(one.way()), state: { ...registered(one.way()), clusterUid: "one" } };
    assert.equal((await registration.update(context, "id", known, moved)).clusterUid, "two");
  });
});

describe("a ClusterIdentity", () => {
  const logged: string[] = [];
  const context: Context = {
    urn: "urn",
    backend: "file:///state",
    preview: false,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (severity, message) => logged.push(`${severity}: ${message}`),
  };
  const preview = { ...context, preview: true };

  it("is the UID at any address, also in a preview, and the old UID while the cluster is unreachable", async () => {
    const one = await new FakeCluster("one").start();
    try {
      const { state } = await clusterIdentity.create(context, one.way());
      assert.equal(state.identifier, "one");
      assert.equal((await clusterIdentity.create(preview, one.way())).state.identifier, "one");
      const old = { inputs: one.way(), state };
      assert.deepEqual(await clusterIdentity.diff(context, "one", old, one.way()), { changes: {} });
      for (const way of [one.way("localhost"), NOWHERE, { cluster: UNKNOWN, kubeconfig: UNKNOWN }]) {
        assert.equal((await clusterIdentity.update(preview, "one", old, way)).identifier, "one");
      }
      await assert.rejects(clusterIdentity.update(context, "one", old, NOWHERE), /cannot be reached/);
    } finally {
      one.stop();
    }
  });

  it("is the address, with a warning, if the user cannot read the UID", async () => {
    const one = await new FakeCluster(undefined).start();
    try {
      assert.equal((await clusterIdentity.create(context, one.way())).state.identifier, one.url);
      assert.match(logged.join(), /warning: .* lacks the right to get the namespace kube-system/);
    } finally {
      one.stop();
    }
  });

  it("rejects invalid inputs", async () => {
    const { failures } = await clusterIdentity.check(context, { kubeconfig: "x", context: "", server: "y" });
    assert.deepEqual(
      failures.map(({ property }) => property),
      ["server", "kubeconfig", "context", "cluster"],
    );
  });
});

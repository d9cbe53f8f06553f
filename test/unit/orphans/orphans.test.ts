import assert from "node:assert/strict";
import { Known } from "../../../cli/orphans/known";
import { slotOrphans } from "../../../cli/orphans/ledger";
import { partsOf, structuredOrphan, type SetOrphan } from "../../../cli/orphans/orphan";
import { seenIn } from "../../../cli/orphans/seen";
import type { KubeObject } from "../../../provider/kubernetes/objects";
import type { PoolUsage } from "../../../provider/ledger/usage";
import { set, stack } from "../fleet/fixtures";
import { object } from "../manifests/samples";
import { EU, PLATFORM } from "../runtime/platform";

const allocation = (deployment: string) =>
  set({ type: "stackyard:index:SlotAllocation", inputs: { pool: "dev/shared", deployment, slots: 2 } });
const objects = (clusterUid?: string) =>
  set({ inputs: { namespace: "runtimes", set: "runtime-acme" }, outputs: { clusterUid } });

describe("what states know of", () => {
  it("are slots that a runtime has, or was taking when it was killed", () => {
    const begun = stack("killed", { resources: [], pending: 1, begun: [allocation("killed")] });
    const known = new Known([stack("acme", { resources: [allocation("acme")] }), begun]);
    assert.deepEqual(
      ["acme", "killed", "lost"].map((id) => known.hasSlots("dev/shared", id)),
      [true, true, false],
    );
    assert.equal(known.hasSlots("dev/other", "acme"), false);
  });

  it("are sets, unless they certainly are in another cluster", () => {
    const place = { namespace: "runtimes", set: "runtime-acme" };
    const known = (uid?: string) => new Known([stack("acme", { resources: [objects(uid)] })]);
    assert.equal(known("one").hasSet({ ...place, clusterUid: "one" }), true);
    assert.equal(known("one").hasSet({ ...place, clusterUid: "two" }), false);
    assert.equal(known("one").hasSet({ ...place, clusterUid: undefined }), true);
    assert.equal(known().hasSet({ ...place, clusterUid: "two" }), true);
    assert.equal(known("one").hasSet({ ...place, namespace: "other", clusterUid: "one" }), false);
  });
});

describe("an orphan", () => {
  it("is slots of a pool whose holder has no stack", () => {
    const deployments = [
      { deployment: "acme", slots: 2 },
      { deployment: "lost", slots: 1 },
    ];
    const host = { host: "http://h", slots: 10, used: 3, free: 7, drain: false, deployments };
    const pools: PoolUsage[] = [
      { pool: "dev/shared", hosts: [host] },
      { pool: "other/shared", hosts: [host] },
    ];
    const found = slotOrphans("dev", PLATFORM, pools, new Known([stack("acme", { resources: [allocation("acme")] })]));
    assert.deepEqual(found.map(partsOf), [["1 slot of pool dev/shared on http://h"]]);
    assert.doesNotMatch(JSON.stringify(found.map(structuredOrphan)), /postgres/);
  });

  it("shows its disks, and what becomes of each", () => {
    const claim = (name: string) =>
      object("PersistentVolumeClaim", { resources: { requests: { storage: "40Gi" } } }, {}, { name });
    const orphan: SetOrphan = {
      type: "kubernetes",
      id: "acme",
      platform: "dev",
      provisioner: "eu",
      way: EU,
      spec: EU,
      namespace: "ns",
      set: "runtime-acme",
      owner: "1",
      objects: [object("StatefulSet"), claim("own")],
      disks: [
        { claim: claim("data-acme-0"), lost: true },
        { claim: claim("own"), lost: false },
      ],
    };
    assert.deepEqual(partsOf(orphan), [
      "StatefulSet ns/acme",
      "disk ns/data-acme-0 (40 GiB, deleted with it)",
      "disk ns/own (40 GiB, kept by its policy)",
    ]);
    assert.doesNotMatch(JSON.stringify(structuredOrphan(orphan)), /apiVersion: v1/, "no kubeconfig");
  });
});

describe("what live objects show of a deployment", () => {
  const workload = (image: string, cpu: string, storage: string, replicas = 1): KubeObject =>
    object("StatefulSet", {
      replicas,
      template: { spec: { containers: [{ image: "sidecar:9" }, { image, resources: { requests: { cpu } } }] } },
      volumeClaimTemplates: [{ spec: { resources: { requests: { storage } } } }],
    });
  const slot = { cpu: 0.5, memoryGb: 4, diskGb: 40 };

  it("are version, slots, and a disk that is not what the slots give", () => {
    assert.deepEqual(seenIn([workload("example/runtime:1.2", "1500m", "120Gi")], EU, slot), {
      version: "1.2",
      slots: 3,
    });
    assert.deepEqual(seenIn([workload("example/runtime:1.2", "1", "200Gi")], EU, slot), {
      version: "1.2",
      slots: 2,
      diskGb: 200,
    });
  });

  it("is nothing where templates do it otherwise", () => {
    assert.deepEqual(seenIn([workload("other/image:1", "0.7", "40Gi")], EU, slot), { diskGb: 40 });
    assert.deepEqual(seenIn([], EU, slot), {});
  });

  it("is that it hibernates", () => {
    assert.equal(seenIn([workload("example/runtime:1", "1", "80Gi", 0)], EU, slot).state, "hibernated");
  });
});

import assert from "node:assert/strict";
import { KnownOwners } from "../../../engine/orphans/known";
import { Search } from "../../../engine/orphans/search";
import { databaseOrphans, serversOf } from "../../../engine/orphans/databases";
import { type SetOrphan } from "../../../engine/orphans/orphan";
import { slotOrphans, dataOf, foreignRecord, partsOf, structuredOrphan } from "../../../engine/orphans/kinds";
import { seenIn } from "../../../engine/adoption/kinds";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { PoolUsage } from "../../../provider/ledger/usage";
import type { StaticClickHouse } from "../../../components/runtime/clickhouse/settings";
import { CLICKHOUSE_DATABASE, SHOOT } from "../../../components/resources/tokens";
import type { NotedDatabase } from "../../../provider/resources/clickHouseDatabase/note";
import { DEV, set, stack } from "../fleet/fixtures";
import { object } from "../manifests/samples";
import { EU, PLATFORM } from "../runtime/platform";

const allocation = (deployment: string, more: object = {}) =>
  set({ type: "stackyard:index:SlotAllocation", inputs: { pool: "dev/shared", deployment, slots: 2, ...more } });
const objects = (clusterUid?: string) =>
  set({ inputs: { namespace: "runtimes", set: "runtime-acme" }, outputs: { clusterUid } });

describe("the resources known from states", () => {
  it("include slots that a runtime has, or was taking when it was killed", () => {
    const begun = stack("killed", { resources: [], pending: 1, begun: [allocation("killed")] });
    const known = new KnownOwners([stack("acme", { resources: [allocation("acme")] }), begun]);
    assert.deepEqual(
      ["acme", "killed", "lost"].map((id) => known.hasSlots("dev/shared", id)),
      [true, true, false],
    );
    assert.equal(known.hasSlots("dev/other", "acme"), false);
  });

  it("include slots of the owner in the state, not of another owner of the same deployment", () => {
    const lost = allocation("lost", { instance: "new" });
    const before = set({ ...allocation("older"), outputs: { ownerId: "derived" } });
    const known = new KnownOwners([
      stack("lost", { resources: [], pending: 1, begun: [lost] }),
      stack("b", { resources: [before] }),
    ]);
    const has = (id: string, owner?: string) => known.hasSlots("dev/shared", id, owner);
    assert.deepEqual([has("lost", "new"), has("lost", "old"), has("lost", ""), has("lost")], [true, false, true, true]);
    assert.deepEqual([has("older", "derived"), has("older", "other")], [true, false]);
  });

  it("include sets unless they are certainly in another cluster", () => {
    const place = { namespace: "runtimes", set: "runtime-acme", owner: "any" };
    const known = (uid?: string) => new KnownOwners([stack("acme", { resources: [objects(uid)] })]);
    assert.equal(known("one").hasSet({ ...place, clusterUid: "one" }), true);
    assert.equal(known("one").hasSet({ ...place, clusterUid: "two" }), false);
    assert.equal(known("one").hasSet({ ...place, clusterUid: undefined }), true);
    assert.equal(known().hasSet({ ...place, clusterUid: "two" }), true);
    assert.equal(known("one").hasSet({ ...place, namespace: "other", clusterUid: "one" }), false);
  });

  it("include sets of the owner in the state, not of another owner with the same name", () => {
    const inputs = { namespace: "runtimes", set: "runtime-acme" };
    const has = (resource: object, owner: string): boolean =>
      new KnownOwners([stack("acme", { resources: [set({ inputs, ...resource })] })]).hasSet({
        ...{ ...inputs, owner, clusterUid: "one" },
      });
    const made = { id: "runtimes/runtime-acme", outputs: { ownerId: "ours", clusterUid: "one" } };
    assert.deepEqual([has(made, "ours"), has(made, "theirs")], [true, false]);
    const begun = { inputs: { ...inputs, instance: "coming" } };
    assert.deepEqual([has(begun, "coming"), has(begun, "theirs")], [true, false]);
  });

  it("include Shoots of the owner in the state, and imported Shoots without an owner id", () => {
    const place = { namespace: "garden-a", name: "acme" };
    const has = (instance: string | undefined, owner: string | undefined): boolean =>
      new KnownOwners([
        stack("acme", {
          resources: [set({ type: SHOOT, inputs: { shoot: { metadata: place }, instance }, outputs: { uid: "u" } })],
        }),
      ]).hasShoot({ ...place, uid: "u", owner });
    assert.deepEqual([has("ours", "ours"), has("ours", "theirs")], [true, false]);
    assert.deepEqual([has(undefined, "theirs"), has("u", undefined)], [true, true]);
  });
});

describe("a ClickHouse database", () => {
  const url = "https://admin:s3cret@ch:8443";
  const server = (more: object = {}): StaticClickHouse => ({
    ...{ type: "static", url, prefix: "rill_", sources: [], passwordVersion: 1, default: false },
    ...{ databaseWhenDeleted: "Delete", ...more },
  });
  const clickhouse = { main: server(), twin: server({ databaseWhenDeleted: "Retain" }) };
  const noted = (id: string, more: object = {}) => ({
    ...{ database: `rill_${id}`, instance: `of-${id}`, platform: DEV, deployment: id, provisioner: "main", ...more },
  });
  const known = new KnownOwners([
    stack("acme", { resources: [set({ type: CLICKHOUSE_DATABASE, inputs: { instance: "of-acme" } })] }),
    stack("killed", { pending: 1, begun: [set({ type: CLICKHOUSE_DATABASE, inputs: { instance: "of-killed" } })] }),
  ]);
  const orphans = (databases: NotedDatabase[]) => {
    const platform = { ...PLATFORM, clickhouse };
    const [only, ...others] = serversOf(platform);
    assert.deepEqual([only?.provisioner, others], ["main", []], "two provisioners of one server are one look");
    assert.ok(only);
    return databaseOrphans("dev", platform, only, databases, known, new Search());
  };

  it("is an orphan unless a state has it or it belongs to another platform", () => {
    const theirs = noted("theirs", { platform: "organization/stackyard/prod" });
    const found = orphans([noted("acme"), noted("killed"), noted("lost"), theirs]);
    assert.deepEqual(found.flatMap(partsOf), [
      "database main/rill_lost on ClickHouse server ch:8443 (deleted with it)",
    ]);
    assert.doesNotMatch(JSON.stringify(found.map(structuredOrphan)), /s3cret/);
    assert.deepEqual(found.flatMap(dataOf), [{ name: "main/rill_lost", lost: true }]);
  });

  it("has the policy of its provisioner, or of the first provisioner on its server", () => {
    const found = orphans([noted("a", { provisioner: "twin" }), noted("b", { provisioner: "gone" })]);
    assert.deepEqual(found.flatMap(dataOf), [
      { name: "twin/rill_a", lost: false },
      { name: "main/rill_b", lost: true },
    ]);
  });
});

describe("an orphan", () => {
  it("can be slots of a pool whose deployment has no stack", () => {
    const deployments = [
      { deployment: "acme", slots: 2 },
      { deployment: "lost", slots: 1 },
    ];
    const host = { host: "http://h", slots: 10, used: 3, free: 7, drain: false, deployments };
    const pools: PoolUsage[] = [
      { pool: "dev/shared", hosts: [host] },
      { pool: "other/shared", hosts: [host] },
    ];
    const found = slotOrphans(
      "dev",
      PLATFORM,
      pools,
      new KnownOwners([stack("acme", { resources: [allocation("acme")] })]),
    );
    assert.deepEqual(found.map(partsOf), [["1 slot of pool dev/shared on http://h"]]);
    assert.doesNotMatch(JSON.stringify(found.map(structuredOrphan)), /postgres/);
  });

  it("shows its disks, and whether each is deleted or kept", () => {
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
      record: {
        owner: "1",
        stack: "stackyard-runtime/acme",
        backend: "s3://states",
        generation: 2,
        from: 1,
        phase: "applied",
        changedAt: "2026-01-01T00:00:00Z",
        changedBy: "ann@laptop",
      },
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
    assert.equal(foreignRecord(orphan, "s3://states"), undefined);
    assert.equal(foreignRecord(orphan, "s3://others")?.stack, "stackyard-runtime/acme");
  });
});

describe("the settings of a deployment in its live objects", () => {
  const workload = (image: string, cpu: string, storage: string, replicas = 1): KubeObject =>
    object("StatefulSet", {
      replicas,
      template: { spec: { containers: [{ image: "sidecar:9" }, { image, resources: { requests: { cpu } } }] } },
      volumeClaimTemplates: [{ spec: { resources: { requests: { storage } } } }],
    });
  const slot = { cpu: 0.5, memoryGb: 4, diskGb: 40 };

  it("include version, slots, and a disk size that does not follow from the slots", () => {
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

  it("exclude values that the objects do not show", () => {
    assert.deepEqual(seenIn([workload("other/image:1", "0.7", "40Gi")], EU, slot), { diskGb: 40 });
    assert.deepEqual(seenIn([], EU, slot), {});
  });

  it("include the state hibernated", () => {
    assert.equal(seenIn([workload("example/runtime:1", "1", "80Gi", 0)], EU, slot).state, "hibernated");
  });
});

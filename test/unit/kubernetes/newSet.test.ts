import assert from "node:assert/strict";
import { planDisks } from "../../../kubernetes/disks/newSet";
import type { KubeObject } from "../../../kubernetes/objects/objects";

const set: KubeObject = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "acme", namespace: "ns" },
  spec: { replicas: 1, volumeClaimTemplates: [{ metadata: { name: "data" } }] },
};
const claim = (name: string, more: object = {}, isKept = true): KubeObject => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: {
    name,
    namespace: "ns",
    uid: "01234567-89",
    labels: isKept ? { "stackyard.dev/kept-disk": "true" } : {},
    ...more,
  },
  spec: { volumeName: "pv" },
});
const plan = (there: readonly KubeObject[], disk?: string, isStrict = true) =>
  planDisks(set, there, { disk, isStrict });

describe("the disks of a new StatefulSet", () => {
  it("are new if no claim exists", () => {
    assert.deepEqual(plan([]), { disks: { renamed: [], aside: [], going: [] }, faults: [], notes: [] });
  });

  it("are new if a kept claim has the name, and the kept claim is renamed", () => {
    const kept = claim("data-acme-0");
    const { disks, faults, notes } = plan([kept, claim("data-other-0")]);
    assert.deepEqual([disks.aside, faults], [[kept], []]);
    assert.match(notes[0] ?? "", /is kept as kept-01234567-data-acme-0/);
    assert.match(
      notes[0] ?? "",
      /create the runtime with --disk data-acme-0; later, destroy it first and name kept-01234567/,
    );
  });

  it("reuse the chosen kept claim, given with or without its namespace", () => {
    for (const name of ["data-acme-0", "kept-01234567-data-acme-0", "kept-01234567-data-old-0"]) {
      for (const disk of [name, `ns/${name}`]) {
        const { disks, faults } = plan([claim(name)], disk);
        assert.deepEqual([disks.reuse?.name, disks.aside, faults], ["data-acme-0", [], []]);
      }
      assert.match(plan([claim(name)], `elsewhere/${name}`).faults.join(), /no kept disk of namespace ns/);
    }
  });

  it("reuse the chosen claim after an interrupted update", () => {
    const begun = claim(
      "data-acme-0",
      { annotations: { "stackyard.dev/reused-disk": "kept-01234567-data-old-0" } },
      false,
    );
    for (const disk of ["kept-01234567-data-old-0", "ns/kept-01234567-data-old-0"]) {
      assert.deepEqual(plan([begun], disk).disks.reuse, { claim: begun, name: "data-acme-0" });
      const former = claim("kept-01234567-data-old-0");
      const { disks, faults } = plan([begun, former], disk);
      assert.deepEqual(
        [disks, faults],
        [{ renamed: [former], aside: [], going: [], reuse: { claim: former, name: "data-acme-0" } }, []],
      );
    }
    assert.match(plan([begun], "data-acme-0").faults.join(), /no kept disk.*not known whose data it has/);
  });

  it("do not reuse a claim that is missing, not kept or being deleted", () => {
    assert.match(plan([], "data-acme-0").faults[0] ?? "", /no kept disk of namespace ns/);
    assert.match(plan([claim("data-acme-0", {}, false)], "data-acme-0").faults[0] ?? "", /no kept disk/);
    const going = claim("data-acme-0", { deletionTimestamp: "2026-01-01T00:00:00Z" });
    assert.match(plan([going], "data-acme-0").faults[0] ?? "", /no kept disk/);
    assert.deepEqual(plan([going]).disks, { renamed: [], aside: [], going: [going] });
  });

  it("do not reuse a kept claim of another deployment", () => {
    const of = (deployment: string) => ({ annotations: { "stackyard.dev/deployment": deployment } });
    const acme = { ...set, metadata: { ...set.metadata, ...of("acme") } };
    const ask = (kept: KubeObject) => planDisks(acme, [kept], { disk: kept.metadata.name, isStrict: true });
    assert.deepEqual(ask(claim("kept-01234567-data-acme-0", of("acme"))).faults, []);
    const refused = ask(claim("kept-01234567-data-globex-0", of("globex")));
    assert.match(refused.faults.join(), /is of deployment "globex"; expected one of "acme"/);
    assert.equal(refused.disks.reuse, undefined);
  });

  it("are rejected for a runtime if an unmarked claim has the name", () => {
    const unmarked = claim("data-acme-0", {}, false);
    assert.match(plan([unmarked]).faults[0] ?? "", /not known whose data it has.*--disk data-acme-0/);
    assert.deepEqual(plan([unmarked], undefined, false).faults, []);
  });
});

import assert from "node:assert/strict";
import { at } from "../../../kubernetes/objects/objects";
import fc from "fast-check";
import { storageBytes, templateOf } from "../../../kubernetes/claims/claims";
import { changeableIn, immutableChanges, unsafeChanges } from "../../../kubernetes/claims/immutable";
import { cannotGrow, withoutShrinking, planClaim, planTemplates } from "../../../kubernetes/claims/claimPlan";
import { bytesOf, sizeText } from "../../../kubernetes/objects/bytes";
import { claim, live, object, statefulSet, template } from "./samples";

const GIB = 2 ** 30;

describe("quantities of bytes", () => {
  it("are read in all notations", () => {
    const spelled = {
      "40Gi": 40 * GIB,
      "1.5G": 1.5e9,
      "42949672960": 42949672960,
      "1e3": 1000,
      "500m": 1,
      "2Ti": 2048 * GIB,
    };
    for (const [text, bytes] of Object.entries(spelled)) assert.equal(bytesOf(text), bytes, text);
    assert.equal(bytesOf(42949672960), 42949672960);
    for (const wrong of ["", "Gi", "40GB", "4 0", null, undefined, {}, NaN]) assert.equal(bytesOf(wrong), undefined);
  });

  it("are printed briefly without loss of precision", () => {
    assert.equal(sizeText(40 * GIB), "40 GiB");
    assert.equal(sizeText(1.5 * 1024 * GIB), "1.5 TiB");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), (bytes) => {
        const [count = "", unit = ""] = sizeText(bytes).split(" ");
        const factor = unit === "bytes" ? 1 : (bytesOf(`1${unit.replace("B", "")}`) ?? 0);
        assert.equal(Number(count) * factor, bytes);
      }),
    );
  });
});

describe("the claims of a StatefulSet", () => {
  const claims = [claim("data-acme-0", "1Gi"), claim("data-acme-1", "1Gi"), claim("other-acme-0", "1Gi")];

  it("are recognized by their names", () => {
    assert.equal(templateOf("data-acme-12", "acme", ["x", "data"]), "data");
    for (const name of ["data-acme-b-0", "data-acme", "data-acme-", "xdata-acme-0", "data-acme-0-1"]) {
      assert.equal(templateOf(name, "acme", ["data"]), undefined, name);
    }
  });

  it("grow if they are smaller than requested", () => {
    const { growths, faults } = planTemplates(statefulSet("2Gi"), live("1Gi"), [
      ...claims,
      claim("data-acme-2", "5Gi"),
    ]);
    assert.deepEqual(faults, []);
    assert.deepEqual(
      growths.map((growth) => [growth.claim.metadata.name, growth.to, growth.quantity]),
      [
        ["data-acme-0", 2 * GIB, "2Gi"],
        ["data-acme-1", 2 * GIB, "2Gi"],
      ],
    );
  });

  it("grow after an interrupted growth, whatever size the StatefulSet has", () => {
    assert.equal(planTemplates(statefulSet("2Gi"), live("2Gi"), claims).growths.length, 2);
    assert.equal(planTemplates(statefulSet("2Gi"), undefined, claims).growths.length, 2);
  });

  it("never shrink: a smaller template is rejected, a larger disk keeps its size", () => {
    const smaller = planTemplates(statefulSet("1Gi"), live("2Gi"), []);
    assert.match(smaller.faults.join(), /can't become smaller: it has 2 GiB, 1 GiB was requested/);
    const grownByHand = planTemplates(statefulSet("1Gi"), live("1Gi"), [claim("data-acme-0", "3Gi")]);
    assert.deepEqual([grownByHand.faults, grownByHand.growths], [[], []]);
    assert.match(grownByHand.notes.join(), /data-acme-0 has 3 GiB, more than the requested 1 GiB; it keeps that size/);
    assert.deepEqual(planTemplates(statefulSet("3Gi"), live("1Gi"), [claim("data-acme-0", "3Gi")]).growths, []);
  });

  it("never get less storage than they have", () => {
    const size = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(size, fc.option(size, { nil: undefined }), fc.array(size, { maxLength: 4 }), (asked, was, sizes) => {
        const held = sizes.map((gib, index) => claim(`data-acme-${index}`, `${gib}Gi`));
        const plan = planTemplates(statefulSet(`${asked}Gi`), was === undefined ? undefined : live(`${was}Gi`), held);
        assert.ok(plan.growths.every(({ from, to }) => to > from && to === asked * GIB));
        assert.equal(plan.faults.length > 0, was !== undefined && asked < was);
        if (plan.faults.length === 0) assert.equal(plan.growths.length, sizes.filter((gib) => gib < asked).length);
      }),
    );
  });

  it("keep their size if that is allowed", () => {
    const held = [claim("data-acme-0", "2Gi"), claim("data-acme-1", "1Gi")];
    const plan = planTemplates(statefulSet("1Gi"), live("2Gi"), held, "keep");
    assert.deepEqual([plan.faults, plan.growths], [[], []]);
    assert.match(plan.notes.join(), /Template data: it keeps 2 GiB; 1 GiB was requested/);
    const kept = withoutShrinking(statefulSet("1Gi", { replicas: 3 }), live("2Gi"));
    assert.deepEqual(immutableChanges(kept, live("2Gi")), []);
    assert.equal(at(kept, "spec", "replicas"), 3);
    assert.deepEqual(withoutShrinking(statefulSet("3Gi"), live("2Gi")), statefulSet("3Gi"));
  });

  it("are rejected with refuse all if only the disk is larger than requested", () => {
    const held = [claim("data-acme-0", "3Gi")];
    assert.deepEqual(planTemplates(statefulSet("1Gi"), live("1Gi"), held, "refuse").faults, []);
    const { faults } = planTemplates(statefulSet("1Gi"), live("1Gi"), held, "refuse all");
    assert.match(faults.join(), /data-acme-0: a disk can't become smaller: it has 3 GiB, .*--disk-gb 3/);
  });

  it("cannot grow without a storage class that allows expansion", () => {
    const growth = { claim: claim("a", "1Gi"), from: GIB, to: 2 * GIB, quantity: "2Gi" };
    assert.equal(cannotGrow(growth, { ...object("StorageClass"), allowVolumeExpansion: true }), undefined);
    assert.match(
      cannotGrow(growth, object("StorageClass")) ?? "",
      /storage class standard does not allow it; set allowVolumeExpansion/,
    );
    assert.match(cannotGrow(growth, undefined) ?? "", /storage class standard does not exist any more/);
    const bare = { ...growth, claim: object("PersistentVolumeClaim", {}, {}, { name: "a" }) };
    assert.match(cannotGrow(bare, undefined) ?? "", /it has no storage class/);
  });

  it("add up to the actual storage", () => {
    const growing = claim("b", "4Gi", "2Gi");
    const unbound = claim("c", "1Gi", "1Gi", { phase: "Pending" });
    assert.equal(storageBytes([claim("a", "1Gi"), growing, unbound], true), 3 * GIB);
    assert.equal(storageBytes([], true), 0);
    assert.equal(storageBytes([], false), null);
  });
});

describe("a claim that is an object of the set", () => {
  const asked = (storage: string) => claim("disk", storage);

  it("grows, never shrinks, and keeps a size that was set manually", () => {
    assert.equal(planClaim(asked("2Gi"), claim("disk", "1Gi"), asked("1Gi")).growths.length, 1);
    assert.match(
      planClaim(asked("1Gi"), claim("disk", "2Gi"), asked("2Gi")).faults.join(),
      /can't become smaller: it has 2 GiB/,
    );
    const byHand = planClaim(asked("1Gi"), claim("disk", "2Gi"), asked("1Gi"));
    assert.deepEqual([byHand.faults, byHand.growths, byHand.notes.length], [[], [], 1]);
    const kept = planClaim(asked("1Gi"), claim("disk", "2Gi"), asked("2Gi"), "keep");
    assert.deepEqual([kept.faults, kept.growths, kept.notes.length], [[], [], 1]);
    assert.equal(planClaim(asked("1Gi"), claim("disk", "2Gi"), asked("1Gi"), "refuse all").faults.length, 1);
    assert.deepEqual(withoutShrinking(asked("1Gi"), claim("disk", "2Gi")).spec, claim("disk", "2Gi").spec);
    assert.equal(planClaim(asked("1Gi"), undefined, undefined).growths.length, 0);
  });
});

describe("a changed StatefulSet", () => {
  it("is recreated only for immutable fields, and ignores defaults of the server", () => {
    assert.deepEqual(immutableChanges(statefulSet(GIB), live("1Gi", { replicas: 3 })), []);
    assert.deepEqual(immutableChanges(statefulSet("2Gi"), live("1Gi")), ["volumeClaimTemplates"]);
    const moved = statefulSet("1Gi", { serviceName: "b", podManagementPolicy: "Parallel" });
    assert.deepEqual(immutableChanges(moved, live("1Gi")), ["serviceName", "podManagementPolicy"]);
    assert.deepEqual(immutableChanges(changeableIn(moved, live("1Gi")), live("1Gi")), []);
  });

  it("keeps labels that match the live selector for an update in place", () => {
    const other = statefulSet("1Gi", {
      selector: { matchLabels: { app: "b" } },
      template: { metadata: { labels: { app: "b", tier: "two" } } },
    });
    assert.deepEqual(at(changeableIn(other, live("1Gi")), "spec", "template"), {
      metadata: { labels: { app: "acme", tier: "two" } },
    });
  });

  it("must not strand its pods", () => {
    const other = { selector: { matchLabels: { app: "b" } } };
    assert.match(unsafeChanges(statefulSet("1Gi", other), live("1Gi"), []).join(), /would be stranded/);
    assert.deepEqual(unsafeChanges(statefulSet("1Gi", other), live("1Gi", {}, { replicas: 0 }), []), []);
    const wider = { selector: { matchLabels: { tier: "one" } } };
    assert.deepEqual(unsafeChanges(statefulSet("1Gi", wider), live("1Gi"), []), []);
  });

  it("must keep the templates of existing claims unchanged", () => {
    const held = [claim("data-acme-0", "1Gi")];
    const renamed = statefulSet("1Gi", { volumeClaimTemplates: [template("1Gi", {}, "disk")] });
    assert.match(
      unsafeChanges(renamed, live("1Gi"), held).join(),
      /Template data is gone or has another name.*data-acme-0/,
    );
    assert.deepEqual(unsafeChanges(renamed, live("1Gi"), []), []);
    const faster = statefulSet("1Gi", { volumeClaimTemplates: [template("1Gi", { storageClassName: "fast" })] });
    assert.match(
      unsafeChanges(faster, live("1Gi"), held).join(),
      /changes storageClassName from the default to "fast"/,
    );
    assert.deepEqual(unsafeChanges(statefulSet("2Gi"), live("1Gi"), held), []);
    const more = statefulSet("1Gi", { volumeClaimTemplates: [template("1Gi"), template("1Gi", {}, "logs")] });
    assert.deepEqual(unsafeChanges(more, live("1Gi"), held), []);
  });
});

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
  it("are read in all their spellings", () => {
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

  it("are reported shortly, but never wrongly", () => {
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

  it("are known by their names", () => {
    assert.equal(templateOf("data-acme-12", "acme", ["x", "data"]), "data");
    for (const name of ["data-acme-b-0", "data-acme", "data-acme-", "xdata-acme-0", "data-acme-0-1"]) {
      assert.equal(templateOf(name, "acme", ["data"]), undefined, name);
    }
  });

  it("grow when more is asked for, each that has less", () => {
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

  it("grow as well when a growth was cut off before, whatever the StatefulSet says by now", () => {
    assert.equal(planTemplates(statefulSet("2Gi"), live("2Gi"), claims).growths.length, 2);
    assert.equal(planTemplates(statefulSet("2Gi"), undefined, claims).growths.length, 2);
  });

  it("never shrink: less than the template says is refused, less than the disk has is let be", () => {
    const smaller = planTemplates(statefulSet("1Gi"), live("2Gi"), []);
    assert.match(smaller.faults.join(), /can't become smaller: it has 2 GiB, 1 GiB was requested/);
    const grownByHand = planTemplates(statefulSet("1Gi"), live("1Gi"), [claim("data-acme-0", "3Gi")]);
    assert.deepEqual([grownByHand.faults, grownByHand.growths], [[], []]);
    assert.match(grownByHand.notes.join(), /data-acme-0 has 3 GiB, more than the requested 1 GiB; it keeps that size/);
    assert.deepEqual(planTemplates(statefulSet("3Gi"), live("1Gi"), [claim("data-acme-0", "3Gi")]).growths, []);
  });

  it("are planned so that no claim ever gets less than it has", () => {
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

  it("stay as large as they are where that is allowed", () => {
    const held = [claim("data-acme-0", "2Gi"), claim("data-acme-1", "1Gi")];
    const plan = planTemplates(statefulSet("1Gi"), live("2Gi"), held, "keep");
    assert.deepEqual([plan.faults, plan.growths], [[], []]);
    assert.match(plan.notes.join(), /Template data: it keeps 2 GiB; 1 GiB was requested/);
    const kept = withoutShrinking(statefulSet("1Gi", { replicas: 3 }), live("2Gi"));
    assert.deepEqual(immutableChanges(kept, live("2Gi")), []);
    assert.equal(at(kept, "spec", "replicas"), 3);
    assert.deepEqual(withoutShrinking(statefulSet("3Gi"), live("2Gi")), statefulSet("3Gi"));
  });

  it("are refused, once no larger ones are kept any more, also where only the disk is larger", () => {
    const held = [claim("data-acme-0", "3Gi")];
    assert.deepEqual(planTemplates(statefulSet("1Gi"), live("1Gi"), held, "refuse").faults, []);
    const { faults } = planTemplates(statefulSet("1Gi"), live("1Gi"), held, "refuse all");
    assert.match(faults.join(), /data-acme-0: a disk can't become smaller: it has 3 GiB, .*--disk-gb 3/);
  });

  it("can't grow without a storage class that allows it", () => {
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

  it("add up to what is really there", () => {
    const growing = claim("b", "4Gi", "2Gi");
    const unbound = claim("c", "1Gi", "1Gi", { phase: "Pending" });
    assert.equal(storageBytes([claim("a", "1Gi"), growing, unbound], true), 3 * GIB);
    assert.equal(storageBytes([], true), 0);
    assert.equal(storageBytes([], false), null);
  });
});

describe("a claim that is an object of the set", () => {
  const asked = (storage: string) => claim("disk", storage);

  it("grows, never shrinks, and stays as it was made by hand", () => {
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

describe("a StatefulSet that is to change", () => {
  it("is recreated only for what can't be changed in place, whatever defaults the server filled in", () => {
    assert.deepEqual(immutableChanges(statefulSet(GIB), live("1Gi", { replicas: 3 })), []);
    assert.deepEqual(immutableChanges(statefulSet("2Gi"), live("1Gi")), ["volumeClaimTemplates"]);
    const moved = statefulSet("1Gi", { serviceName: "b", podManagementPolicy: "Parallel" });
    assert.deepEqual(immutableChanges(moved, live("1Gi")), ["serviceName", "podManagementPolicy"]);
    assert.deepEqual(immutableChanges(changeableIn(moved, live("1Gi")), live("1Gi")), []);
  });

  it("is tried in place with labels that the selector which stays there matches", () => {
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

  it("must not forget a disk: templates with claims stay, and stay what they are", () => {
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

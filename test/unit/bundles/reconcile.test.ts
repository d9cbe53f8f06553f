import assert from "node:assert/strict";
import type { KubeObject } from "../../../kubernetes/objects/objects";
import type { OwnerRecord } from "../../../kubernetes/owners/record";
import type { ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import { restorationOf, heldBack, type FoundObject } from "../../../provider/resources/bundleRelease/reconcile/plan";
import type { Member } from "../../../provider/resources/bundleRelease/wanted/member";

const owner = { name: "shop", namespace: "apps" };

describe("the reconciliation of a release", () => {
  const record: OwnerRecord = {
    ...{ owner: "id", stack: "stackyard/dev", backend: "s3://states", generation: 4, from: 3 },
    ...{ phase: "applied", changedAt: "2026-01-01T00:00:00Z", changedBy: "ann@laptop" },
  };
  const note: KubeObject = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "bundle-shop" },
    data: { digest: "d" },
  };
  const state = { generation: 4 } as ReleaseState;
  const held = (tenancy: Partial<Parameters<typeof heldBack>[0]> = {}, more: object = {}): string | undefined => {
    const found = heldBack({ note, record, verdict: "own", ...tenancy }, owner, { ...state, ...more });
    return found && `${found.standing}: ${found.reason}`;
  };

  it("needs a complete state of the generation in the cluster", () => {
    assert.equal(held(), undefined);
    const failed = "differs: its last update failed or was interrupted; the next update of its stack continues it";
    for (const more of [{ incomplete: {} }, { interrupted: true }, { kept: {} }, { outcome: { failure: "no" } }]) {
      assert.equal(held({}, more), failed);
    }
    assert.equal(held({}, { outcome: { settledAt: 1 } }), undefined);
    const other = (known: number) =>
      `differs: the cluster has generation 4 of it, and the state generation ${known}; run pulumi refresh`;
    assert.equal(held({}, { generation: 5 }), other(5));
    assert.equal(held({ verdict: "stale" }, { generation: 3 }), other(3));
    assert.equal(held({}, { generation: undefined }), other(0));
    assert.match(
      held({ note: undefined, record: undefined, verdict: "free" }) ?? "",
      /^differs: ConfigMap apps\/bundle-shop/,
    );
  });

  it("leaves a release of another owner, one that is changed or deleted, and one that is paused", () => {
    assert.match(held({ verdict: "foreign" }) ?? "", /^differs: belongs to stack stackyard\/dev in s3:\/\/states/);
    assert.match(held({ verdict: "taken" }) ?? "", /^differs: belongs to stack/);
    const applying = { ...record, phase: "applying" } as const;
    assert.equal(held({ record: applying }), "busy: an update did not come to its end");
    assert.equal(held({ note: { ...note, data: { toward: "e" } } }), "busy: an update to e did not come to its end");
    const at = (more: object): KubeObject => ({ ...note, metadata: { ...note.metadata, ...more } });
    assert.equal(held({ note: at({ deletionTimestamp: "2026-01-01T00:00:00Z" }) }), "busy: it is being deleted");
    const annotations = { "stackyard.dev/reconcile": "disabled" };
    assert.equal(held({ note: at({ annotations }) }), "paused: stackyard.dev/reconcile is disabled");
  });

  describe("of an object", () => {
    const object: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "apps" } };
    const memberOf = (one: KubeObject, more: Partial<Member> = {}): Member => ({
      ref: { apiVersion: one.apiVersion, kind: one.kind, name: "a", namespace: "apps" },
      ...{ key: "k", object: one, place: "a.yaml:1", wave: undefined, needs: undefined, fingerprint: "f", madeUp: [] },
      ...{ once: false, isGenerated: false, ...more },
    });
    const member = memberOf(object);
    const fate = (more: Partial<FoundObject> = {}) => {
      const recorded = { ref: member.ref, key: "k", fingerprint: "f" };
      return restorationOf({ record: recorded, member, live: object, isAsApplied: false, refused: undefined, ...more });
    };
    const withMeta = (more: object): KubeObject => ({ ...object, metadata: { ...object.metadata, ...more } });

    it("restores only what the state has recorded of the same content", () => {
      assert.equal(fate({ isAsApplied: true }), "same");
      assert.equal(fate(), "compare");
      assert.deepEqual(fate({ live: undefined }), { repair: "it was missing" });
      assert.equal(fate({ member: undefined, live: undefined }), "same");
      const record = { ref: member.ref, key: "k", fingerprint: "" };
      assert.match(JSON.stringify(fate({ record, live: undefined })), /a refresh has recorded that it differs/);
      const other = { ...record, fingerprint: "g" };
      assert.match(JSON.stringify(fate({ record: other })), /renders differently now/);
      assert.deepEqual(fate({ refused: "belongs to another" }), { leave: "belongs to another" });
    });

    it("leaves what is paused, being deleted, created once, or finished", () => {
      const paused = withMeta({ annotations: { "stackyard.dev/reconcile": "disabled" } });
      assert.equal(fate({ live: paused }), "same");
      assert.deepEqual(fate({ live: withMeta({ deletionTimestamp: "x" }) }), { leave: "it is being deleted" });
      const once = memberOf(object, { once: true });
      assert.equal(fate({ member: once }), "same");
      assert.deepEqual(fate({ member: once, live: undefined }), { leave: "it is missing, and is created only once" });
      const job = (spec: object) => memberOf({ ...object, apiVersion: "batch/v1", kind: "Job", spec });
      assert.equal(fate({ member: job({ ttlSecondsAfterFinished: 5 }), live: undefined }), "same");
    });

    for (const kind of [
      "Job",
      "Pod",
      "Namespace",
      "CustomResourceDefinition",
      "PersistentVolumeClaim",
      "PersistentVolume",
    ]) {
      it(`never recreates a ${kind}`, () => {
        const lost = memberOf({ ...object, kind });
        const text = `it is missing, and a ${kind} is restored by an update only`;
        assert.deepEqual(fate({ member: lost, live: undefined }), { leave: text });
        assert.equal(fate({ member: lost }), "compare");
      });
    }
  });
});

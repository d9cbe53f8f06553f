import assert from "node:assert/strict";
import type { OwnerRecord } from "../../../kubernetes/owners/record";
import { type SlotsOrphan } from "../../../engine/orphans/orphan";
import { foreignRecord, offerToStack, partsOf, structuredOrphan } from "../../../engine/orphans/kinds";

const owner = (more: Partial<OwnerRecord> = {}): OwnerRecord => ({
  ...{ owner: "1", stack: "stackyard-runtime/acme", backend: "s3://elsewhere", generation: 3, from: 2 },
  ...{ phase: "applied", changedAt: "2026-11-23T20:00:00.000Z", changedBy: "ann@laptop", ...more },
});
const orphan = (record: OwnerRecord | undefined): SlotsOrphan => ({
  ...{ type: "static", id: "acme", platform: "prod", provisioner: "shared" },
  spec: { type: "static", pool: "prod/shared" },
  ...{ ledgerUrl: "postgres://u:hunter2@db/x", host: "http://a", slots: 2, owner: record },
});

describe("slots without a stack in this state backend", () => {
  it("show the stack and the backend that own them", () => {
    assert.deepEqual(partsOf(orphan(owner())), [
      "2 slots of pool prod/shared on http://a, of stack stackyard-runtime/acme in s3://elsewhere, which last changed it " +
        "at 2026-11-23T20:00:00.000Z (generation 3, ann@laptop)",
    ]);
    const shown = structuredOrphan(orphan(owner())) as Record<string, unknown>;
    assert.deepEqual([shown["stack"], shown["backend"]], ["stackyard-runtime/acme", "s3://elsewhere"]);
    assert.doesNotMatch(JSON.stringify(shown), /hunter2/);
  });

  it("are foreign unless their stack was in this backend or they have no owner", () => {
    assert.equal(foreignRecord(orphan(owner()), "s3://here")?.backend, "s3://elsewhere");
    for (const own of [owner({ backend: "s3://here" }), owner({ owner: "" }), undefined]) {
      assert.equal(foreignRecord(orphan(own), "s3://here"), undefined);
    }
  });

  it("cannot be offered before their owner is known", async () => {
    await assert.rejects(
      offerToStack(orphan(undefined), "acme", { folder: "." }),
      /were taken a moment ago; run the command again/,
    );
  });
});

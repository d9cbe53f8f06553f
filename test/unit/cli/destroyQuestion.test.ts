import assert from "node:assert/strict";
import { destroyQuestion } from "../../../cli/runtime/destroy";
import type { ObjectStatus } from "../../../kubernetes/ready/status";

const now = new Date("2026-01-05T00:00:00Z");
const QUESTION = "Destroy the runtime acme and what its provisioner does not keep?";
const set = (disks: ObjectStatus["disks"]): ObjectStatus => ({
  ...{ object: "StatefulSet ns/acme", state: "ready", detail: "", lines: [], findings: [] },
  ...(disks && { disks }),
});

describe("the question before a runtime is destroyed", () => {
  it("names each disk with size and age, and what becomes of it", () => {
    const disks = [
      { claim: "ns/data-acme-0", bytes: 40 * 2 ** 30, since: "2026-01-02T00:00:00Z", goes: true },
      { claim: "ns/logs-acme-0", goes: false },
    ];
    assert.deepEqual(destroyQuestion("acme", [{ objects: [set(disks), set([])] }], now).split("\n"), [
      "disks of acme:",
      "  - ns/data-acme-0 (40 GiB, 3 d old) is deleted with its data",
      "  - ns/logs-acme-0 (not bound) is kept",
      QUESTION,
    ]);
  });

  it("says why disks are not known, and names none where there are none", () => {
    assert.equal(destroyQuestion("acme", [{ objects: [] }], now), QUESTION);
    assert.equal(destroyQuestion("acme", undefined, now), QUESTION);
    const lines = destroyQuestion("acme", [{ unknown: "no answer" }, { elsewhere: "it is in cluster a" }], now);
    assert.match(lines, /not known: no answer\n.*not known: it is in cluster a/);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { capacityWarnings } from "../../../provider/ledger/capacity";
import type { HostCapacity } from "../../../provider/ledger/capacity";

const host = (name: string, used: number, slots = 10, drain = false): HostCapacity => ({
  host: name,
  slots,
  used,
  drain,
});

describe("the used capacity of a pool", () => {
  it("causes a warning at 80 % of all slots", () => {
    assert.deepEqual(capacityWarnings("dev/a", [host("a", 10), host("b", 5)]), []);
    assert.deepEqual(capacityWarnings("dev/a", [host("a", 10), host("b", 6)]), [
      "pool dev/a: 16 of 20 slots are taken (80 %); add slots or hosts to its provisioner",
    ]);
  });

  it("causes a warning if every host is at least 70 % full", () => {
    const [warning, ...others] = capacityWarnings("dev/a", [host("a", 7), host("b", 75, 100)]);
    assert.deepEqual(others, []);
    assert.match(warning ?? "", /every host is 70 % full or fuller \(the emptiest, a, 70 %\).* one of 25 slots$/);
    assert.deepEqual(capacityWarnings("dev/a", [host("a", 6), host("b", 79, 100)]), []);
  });

  it("includes an empty host, but no drained host", () => {
    assert.deepEqual(capacityWarnings("dev/a", [host("a", 9), host("b", 0)]), []);
    assert.equal(capacityWarnings("dev/a", [host("a", 9), host("b", 0, 10, true)]).length, 2);
    assert.deepEqual(capacityWarnings("dev/a", [host("a", 10, 10, true)]), []);
  });

  it("causes no warning in an empty pool, and is never overstated", () => {
    assert.deepEqual(capacityWarnings("dev/a", []), []);
    const any = fc.record({ slots: fc.integer({ min: 1, max: 40 }), free: fc.integer({ min: 0, max: 40 }) });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 6 }), (sizes) => {
        const hosts = sizes.map(({ slots, free }, i) => host(`h${i}`, Math.max(0, slots - free), slots));
        const warnings = capacityWarnings("p", hosts).join();
        const total = hosts.reduce((sum, one) => sum + one.slots, 0);
        const used = hosts.reduce((sum, one) => sum + one.used, 0);
        assert.equal(warnings.includes("slots are taken"), used > 0 && used * 10 >= total * 8);
        assert.equal(warnings.includes("every host"), used > 0 && hosts.every((one) => one.used * 10 >= one.slots * 7));
      }),
    );
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { freeSlots, planResize, rankHosts } from "../../../provider/ledger/planner";
import type { HostLoad } from "../../../provider/ledger/planner";

const host = (name: string, used = 0, more: Partial<HostLoad> = {}): HostLoad => ({
  host: name,
  slots: 6,
  used,
  weight: 1,
  drain: false,
  ...more,
});

const anyHost = fc.record({
  slots: fc.integer({ min: 1, max: 50 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  weight: fc.constantFrom(0.5, 1, 2, 3),
  drain: fc.boolean(),
});
const anyPool = fc
  .array(anyHost, { maxLength: 8 })
  .map((pool) => pool.map(({ share, ...one }, i) => ({ ...one, host: `h${i}`, used: Math.floor(share * one.slots) })));
const wanted = fc.integer({ min: 1, max: 60 });
const chooseHost = (...request: Parameters<typeof rankHosts>) => rankHosts(...request)[0]?.host;
const load = (one: HostLoad, used: number) => used / (one.slots * one.weight);

describe("the choice of a host", () => {
  it("takes the least loaded host", () => {
    assert.equal(chooseHost([host("a", 2), host("b", 5), host("c", 4)], "d", 1), "a");
  });

  it("takes the only host that fits, up to its last slot", () => {
    assert.equal(chooseHost([host("a", 2), host("b", 5), host("c", 4)], "d", 4), "a");
    assert.equal(chooseHost([host("a", 1), host("b"), host("c", 3)], "d", 6), "b");
  });

  it("takes no host if none fits", () => {
    assert.equal(chooseHost([host("a", 2), host("b", 5), host("c", 4)], "d", 5), undefined);
    assert.equal(chooseHost([host("a"), host("b"), host("c")], "d", 8), undefined);
    assert.equal(chooseHost([], "d", 1), undefined);
  });

  it("fills a small and a large host in proportion", () => {
    assert.equal(chooseHost([host("small", 1, { slots: 4 }), host("large", 2, { slots: 20 })], "d", 1), "large");
  });

  it("counts a host of weight 2 as half as full", () => {
    assert.equal(chooseHost([host("a", 2), host("b", 3, { weight: 2 })], "d", 1), "b");
  });

  it("gives a drained host nothing", () => {
    assert.equal(chooseHost([host("a", 0, { drain: true }), host("b", 5)], "d", 1), "b");
    assert.equal(chooseHost([host("a", 0, { drain: true })], "d", 1), undefined);
  });

  it("spreads deployments over equal hosts, with a stable result for each deployment", () => {
    const pool = [host("a"), host("b"), host("c")];
    const answers = Array.from({ length: 300 }, (_, i) => chooseHost(pool, `d${i}`, 1));
    for (const name of ["a", "b", "c"]) {
      const share = answers.filter((answer) => answer === name).length;
      assert.ok(share > 60, `${name} got ${share} of 300`);
    }
    assert.deepEqual(
      Array.from({ length: 300 }, (_, i) => chooseHost([...pool].reverse(), `d${i}`, 1)),
      answers,
    );
  });

  it("never takes a drained or full host, and finds every host that fits", () => {
    fc.assert(
      fc.property(anyPool, fc.string(), wanted, (pool, deployment, slots) => {
        const fitting = pool.filter((one) => !one.drain && slots <= freeSlots(one));
        const ranked = rankHosts(pool, deployment, slots);
        assert.deepEqual(ranked.map((one) => one.host).sort(), fitting.map((one) => one.host).sort());
      }),
    );
  });

  it("never prefers a host that would be fuller than another host", () => {
    fc.assert(
      fc.property(anyPool, fc.string(), wanted, (pool, deployment, slots) => {
        const loads = rankHosts(pool, deployment, slots).map(({ host: name }) => {
          const found = pool.find((one) => one.host === name);
          assert.ok(found);
          return load(found, found.used + slots);
        });
        assert.deepEqual(
          loads,
          loads.toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("limits how full a host may get before the next host is better", () => {
    fc.assert(
      fc.property(anyPool, fc.string(), wanted, (pool, deployment, slots) => {
        const ranked = rankHosts(pool, deployment, slots);
        ranked.forEach(({ host: name, mostUsed }, index) => {
          const one = pool.find((candidate) => candidate.host === name);
          const next = pool.find((candidate) => candidate.host === ranked[index + 1]?.host);
          assert.ok(one);
          assert.ok(mostUsed >= one.used && mostUsed + slots <= one.slots);
          if (!next) return assert.equal(mostUsed, one.slots - slots);
          const nextLoad = load(next, next.used + slots) + 1e-6;
          assert.ok(load(one, mostUsed + slots) <= nextLoad);
          if (mostUsed + slots < one.slots) assert.ok(load(one, mostUsed + 1 + slots) > nextLoad - 1e-6);
        });
      }),
    );
  });
});

describe("a deployment that is resized", () => {
  const stay = { kind: "stay" };

  it("stays on a host with room, even if other hosts are emptier", () => {
    const pool = [host("a", 5), host("b", 0)];
    assert.deepEqual(planResize(pool, "d", { host: "a", slots: 2 }, 3, true), stay);
  });

  it("stays when it shrinks, even on a drained host or a host that left the pool", () => {
    assert.deepEqual(planResize([host("a", 6, { drain: true })], "d", { host: "a", slots: 3 }, 2, false), stay);
    assert.deepEqual(planResize([], "d", { host: "a", slots: 3 }, 2, false), stay);
  });

  it("moves to the best other host only if moves are allowed", () => {
    const pool = [host("a", 6), host("b", 3), host("c", 1)];
    const current = { host: "a", slots: 2 };
    assert.deepEqual(planResize(pool, "d", current, 3, false), { kind: "refused", reason: "no room here" });
    assert.deepEqual(planResize(pool, "d", current, 3, true), { kind: "move", hosts: ["c", "b"] });
    assert.deepEqual(planResize(pool, "d", current, 6, true), { kind: "refused", reason: "no room anywhere" });
  });

  it("does not grow on a drained host", () => {
    const pool = [host("a", 2, { drain: true }), host("b")];
    const current = { host: "a", slots: 2 };
    assert.deepEqual(planResize(pool, "d", current, 3, false), { kind: "refused", reason: "drained" });
    assert.deepEqual(planResize(pool, "d", current, 3, true), { kind: "move", hosts: ["b"] });
  });

  it("leaves a drained host if moves are allowed and another host has room", () => {
    const pool = [host("a", 3, { drain: true }), host("b", 4), host("c", 5)];
    for (const [slots, hosts] of [
      [1, ["b", "c"]],
      [2, ["b"]],
    ] as const) {
      const plan = planResize(pool, "d", { host: "a", slots: 2 }, slots, true);
      assert.deepEqual(plan, { kind: "move", hosts });
      assert.deepEqual(planResize(pool, "d", { host: "a", slots: 2 }, slots, false), stay);
    }
  });

  it("stays on a drained host if no other host has room", () => {
    const pool = [host("a", 3, { drain: true }), host("b", 5), host("c", 0, { drain: true })];
    assert.deepEqual(planResize(pool, "d", { host: "a", slots: 2 }, 2, true), stay);
  });

  it("moves without growth only if moves are allowed, its host is drained and another host has room", () => {
    fc.assert(
      fc.property(anyPool, fc.string(), wanted, fc.boolean(), (pool, deployment, slots, allowMove) => {
        for (const one of pool.filter((candidate) => candidate.used >= slots)) {
          const plan = planResize(pool, deployment, { host: one.host, slots: one.used }, slots, allowMove);
          const others = rankHosts(pool, deployment, slots).map((other) => other.host);
          const leaves = allowMove && one.drain && others.length > 0;
          assert.deepEqual(plan, leaves ? { kind: "move", hosts: others } : stay);
        }
      }),
    );
  });

  it("never gets more slots than a host has", () => {
    fc.assert(
      fc.property(anyPool, fc.string(), wanted, fc.boolean(), (pool, deployment, slots, allowMove) => {
        for (const one of pool.filter((candidate) => candidate.used > 0)) {
          const plan = planResize(pool, deployment, { host: one.host, slots: one.used }, slots, allowMove);
          if (plan.kind === "stay") assert.ok(slots <= one.slots);
          if (plan.kind !== "move") continue;
          assert.ok(allowMove && !plan.hosts.includes(one.host));
          for (const name of plan.hosts) {
            const target = pool.find((candidate) => candidate.host === name);
            assert.ok(target && !target.drain && slots <= freeSlots(target));
          }
        }
      }),
    );
  });
});

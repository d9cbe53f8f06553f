import assert from "node:assert/strict";
import {
  afterRequest,
  dueOf,
  nextStep,
  NO_LIMITS,
  noticeText,
  viewOf,
  withLimits,
  type Announced,
  type Lifetime,
  type Step,
} from "../../../../service/lifetimes/rules";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const START = new Date("2026-05-11T12:00:00Z");
const at = (hours: number): Date => new Date(START.getTime() + hours * 3_600_000);
const NOTHING: Announced = { action: null, dueAt: null, actsAt: null, announcedAt: null };

const lifetime = (more: Partial<Lifetime> = {}): Lifetime => ({
  ...NO_LIMITS,
  setAt: START,
  usedAt: START,
  stoppedAt: null,
  ...more,
});
const situation = (hours: number, more: { isProtected?: boolean; isGoing?: boolean } = {}) => ({
  now: at(hours),
  isProtected: false,
  isGoing: false,
  warningMs: 24 * 3_600_000,
  ...more,
});
const announce = (step: Step, now: Date): Announced => {
  assert.equal(step.kind, "announce");
  if (step.kind !== "announce") throw new Error("unreachable");
  return { action: step.due.action, dueAt: step.due.at, actsAt: step.actsAt, announcedAt: now };
};

describe("the lifetime of a deployment", () => {
  it("never ends without a limit", () => {
    assert.equal(dueOf(lifetime()), undefined);
    assert.equal(dueOf(lifetime({ stoppedAt: START })), undefined);
    assert.equal(dueOf(lifetime({ stoppedRetention: HOUR })), undefined);
    assert.equal(viewOf(lifetime(), undefined, situation(0)), undefined);
  });

  it("ends at its first limit, with a hibernation while it runs, then with a deletion", () => {
    const limits = { timeToLive: 3 * DAY, idleLimit: DAY, stoppedRetention: 7 * DAY };
    assert.deepEqual([dueOf(lifetime(limits))?.action, dueOf(lifetime(limits))?.at], ["hibernate", at(24)]);
    assert.deepEqual(dueOf(lifetime({ ...limits, usedAt: at(60) }))?.at, at(72));
    const stopped = lifetime({ ...limits, stoppedAt: at(72), usedAt: at(60) });
    assert.deepEqual([dueOf(stopped)?.action, dueOf(stopped)?.at], ["deprovision", at(72 + 168)]);
    assert.deepEqual(dueOf({ ...stopped, usedAt: at(80) })?.at, at(80 + 168), "a use after the hibernation");
  });

  it("is announced one day before it ends, or a tenth of the period if that is shorter", () => {
    const month = lifetime({ timeToLive: 30 * DAY });
    assert.deepEqual(nextStep(month, NOTHING, situation(0)), { kind: "wait", until: at(29 * 24), holds: false });
    assert.equal(nextStep(month, NOTHING, situation(29 * 24)).kind, "announce");
    const hour = lifetime({ timeToLive: HOUR });
    assert.deepEqual(nextStep(hour, NOTHING, situation(0)), { kind: "wait", until: at(0.9), holds: false });
  });

  it("ends only after the full warning time, even if it is announced late", () => {
    const life = lifetime({ stoppedAt: START, stoppedRetention: 30 * DAY });
    // The service was off for a week when it should have been announced.
    const announced = announce(nextStep(life, NOTHING, situation(36 * 24)), at(36 * 24));
    assert.deepEqual(announced.actsAt, at(37 * 24));
    assert.equal(nextStep(life, announced, situation(37 * 24 - 1)).kind, "wait");
    assert.equal(nextStep(life, announced, situation(37 * 24)).kind, "act");
  });

  it("does not end as announced after a use, a wake or another limit", () => {
    const life = lifetime({ idleLimit: 10 * DAY });
    const announced = announce(nextStep(life, NOTHING, situation(9 * 24)), at(9 * 24));
    assert.equal(nextStep(life, announced, situation(240)).kind, "act");
    for (const changed of [
      { ...life, usedAt: at(239) },
      afterRequest({ ...life, stoppedAt: at(230) }, "wake", "running", at(239)),
      withLimits(life, { idleLimit: 20 * DAY }, { isStopped: false, now: at(239) }),
      withLimits(life, { idleLimit: null }, { isStopped: false, now: at(239) }),
    ]) {
      const step = nextStep(changed, announced, situation(240));
      assert.deepEqual([step.kind, step.kind === "wait" && step.holds], ["wait", false]);
    }
    assert.deepEqual(nextStep(life, announced, situation(240, { isGoing: true })), {
      kind: "wait",
      until: null,
      holds: false,
    });
  });

  it("never ends while the deployment is protected, and is announced again afterwards", () => {
    const life = lifetime({ stoppedAt: START, stoppedRetention: 10 * DAY });
    const warned = announce(nextStep(life, NOTHING, situation(216)), at(216));
    const kept = announce(nextStep(life, warned, situation(240, { isProtected: true })), at(240));
    assert.equal(kept.actsAt, null);
    assert.deepEqual(nextStep(life, kept, situation(9_999, { isProtected: true })), {
      kind: "wait",
      until: null,
      holds: true,
    });
    const again = announce(nextStep(life, kept, situation(9_999)), at(9_999));
    assert.deepEqual(again.actsAt, at(10_023));
  });

  it("has notices with action, time, reason and advice", () => {
    const idle = nextStep(lifetime({ idleLimit: HOUR }), NOTHING, situation(0.9));
    const kept = nextStep(lifetime({ timeToLive: HOUR }), NOTHING, situation(2, { isProtected: true }));
    const stopped = nextStep(lifetime({ stoppedAt: START, stoppedRetention: DAY }), NOTHING, situation(24));
    assert.deepEqual(
      [idle, kept, stopped].map((step) => step.kind === "announce" && noticeText(step)),
      [
        "it is hibernated at 2026-05-11T13:00:00Z, because its idle limit of 1h since its last use at 2026-05-11T12:00:00Z ends; " +
          "change its limits, or use it if it is idle, to keep it running",
        "it stays, because it is protected, when its time to live of 1h ends",
        "it is deprovisioned at 2026-05-12T14:24:00Z, because its retention of 1d since its hibernation ends; " +
          "its disk goes too, unless its provisioner keeps disks; wake it, or change its limits, to keep it",
      ],
    );
  });

  it("has notices and notes that report whether the disk is kept", () => {
    const life = lifetime({ stoppedAt: START, stoppedRetention: DAY });
    const step = nextStep(life, NOTHING, situation(24));
    assert.ok(step.kind === "announce");
    const act = { kind: "act" as const, due: step.due };
    assert.match(noticeText(step, undefined, "kept"), /; its disk stays as a kept disk, because its provisioner keeps/);
    assert.match(
      noticeText(act, "7", "deleted"),
      /^it is deprovisioned by operation 7, because .*; its disk goes too$/,
    );
    const notes = (fate?: "kept" | "deleted") => viewOf(life, undefined, situation(0), fate)?.notes.at(-1);
    assert.deepEqual(
      [notes("kept"), notes("deleted"), notes()],
      [
        "Then its disk stays as a kept disk, because its provisioner keeps disks.",
        "Then its disk goes too.",
        "Then its disk goes too, unless its provisioner keeps disks.",
      ],
    );
  });

  it("is restarted by a wake only after its time to live is over", () => {
    const stopped = lifetime({ timeToLive: DAY, stoppedAt: at(20) });
    assert.deepEqual(afterRequest(stopped, "wake", "running", at(23)).setAt, START);
    assert.deepEqual(afterRequest(stopped, "wake", "running", at(24)).setAt, at(24));
  });

  it("counts changes, wakes and moves as uses, but not a hibernation or a refresh", () => {
    for (const [kind, isUse] of [
      ["update", true],
      ["wake", true],
      ["move", true],
      ["hibernate", false],
      ["refresh", false],
    ] as const) {
      assert.deepEqual(afterRequest(lifetime(), kind, "running", at(1)).usedAt, isUse ? at(1) : START, kind);
    }
  });

  it("keeps limits that a change does not name", () => {
    const before = lifetime({ timeToLive: DAY, idleLimit: HOUR });
    const after = withLimits(before, { idleLimit: null, stoppedRetention: DAY }, { isStopped: true, now: at(5) });
    assert.deepEqual(after, {
      ...{ timeToLive: DAY, idleLimit: null, stoppedRetention: DAY },
      ...{ setAt: START, usedAt: at(5), stoppedAt: at(5) },
    });
    assert.deepEqual(withLimits(before, { timeToLive: DAY }, { isStopped: false, now: at(5) }).setAt, at(5));
  });

  it("is shown with the actual times of its actions", () => {
    const overdue = lifetime({ stoppedAt: START, stoppedRetention: 10 * DAY });
    const view = viewOf(overdue, NOTHING, situation(1_000));
    assert.deepEqual([view?.deletesAt, view?.hibernatesAt, view?.idleSince], [at(1_024), null, null]);
    assert.equal(viewOf(overdue, NOTHING, situation(1_000, { isProtected: true }))?.deletesAt, null);
    const running = viewOf(lifetime({ timeToLive: DAY, stoppedRetention: DAY }), NOTHING, situation(1));
    assert.deepEqual([running?.expiresAt, running?.hibernatesAt, running?.deletesAt], [at(24), at(24), null]);
    assert.deepEqual(running?.notes, [
      "It is hibernated at 2026-05-12T12:00:00Z, because its time to live of 1d ends.",
      "It is deprovisioned 1d after a hibernation.",
      "Then its disk goes too, unless its provisioner keeps disks.",
    ]);
  });
});

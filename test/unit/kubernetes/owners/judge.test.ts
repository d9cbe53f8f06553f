import * as assert from "node:assert/strict";
import { judgeOwner, OwnerError, requireOwner } from "../../../../kubernetes/owners/judge";
import { begun, offerTo, stackOf, type Claimant, type OwnerRecord } from "../../../../kubernetes/owners/record";

const HERE = { stack: "stackyard-runtime/acme", backend: "s3://states" };
const ELSEWHERE = { stack: "stackyard-runtime/acme", backend: "file:///home/ann on laptop" };

const record = (changes: Partial<OwnerRecord> = {}): OwnerRecord => ({
  ...HERE,
  owner: "a",
  generation: 3,
  from: 2,
  phase: "applied",
  changedAt: "2026-01-01T00:00:00.000Z",
  changedBy: "ann@laptop",
  ...changes,
});

const claimant = (changes: Partial<Claimant> = {}): Claimant => ({ ...HERE, owner: "a", generation: 3, ...changes });

describe("the owner of a thing", () => {
  it("is the first claimant", () => {
    assert.equal(judgeOwner(undefined, claimant({ owner: "b", generation: 0 })), "free");
  });

  it("stays the owner in another backend, with another stack name", () => {
    assert.equal(judgeOwner(record(), claimant({ stack: "stackyard-runtime/acme2", backend: "gs://moved" })), "own");
  });

  it("is not a stack of the same name in another backend or without its state", () => {
    assert.equal(judgeOwner(record(), claimant({ owner: "b", generation: 0, ...ELSEWHERE })), "foreign");
    assert.equal(judgeOwner(record(), claimant({ owner: "b", generation: 0 })), "foreign");
    assert.equal(judgeOwner(record(), claimant({ owner: undefined, generation: 0 })), "foreign");
  });

  it("has a stale state if the record has a newer generation", () => {
    assert.equal(judgeOwner(record(), claimant({ generation: 2 })), "stale");
    assert.equal(judgeOwner(record(), claimant({ generation: 0 })), "stale");
  });

  it("continues after any number of interrupted updates", () => {
    let live = record({ generation: 3, from: 2 });
    for (let tries = 0; tries < 3; tries++) {
      assert.equal(judgeOwner(live, claimant()), "own");
      live = begun(live, claimant(), "a");
    }
    assert.equal(live.generation, 6);
    assert.equal(judgeOwner(live, claimant({ generation: 2 })), "stale");
  });

  it("is not a copy of its state in another stack or backend while a change is in progress", () => {
    const applying = record({ phase: "applying" });
    assert.equal(judgeOwner(applying, claimant({ generation: 2 })), "own");
    assert.equal(judgeOwner(applying, claimant({ generation: 2, ...ELSEWHERE })), "foreign");
    assert.equal(judgeOwner(applying, claimant({ generation: 2, stack: "stackyard-runtime/copy" })), "foreign");
    assert.equal(judgeOwner(applying, claimant({ generation: 2, interrupted: true, ...ELSEWHERE })), "own");
    assert.equal(judgeOwner(applying, claimant({ generation: 3, ...ELSEWHERE })), "own");
  });

  it("continues after an update whose result did not reach the state", () => {
    assert.equal(judgeOwner(record(), claimant({ generation: 2, interrupted: true })), "own");
    assert.equal(judgeOwner(record(), claimant({ generation: 1, interrupted: true })), "stale");
  });

  it("continues with a state that is newer than a restored record", () => {
    assert.equal(judgeOwner(record(), claimant({ generation: 9 })), "own");
    assert.equal(begun(record(), claimant({ generation: 9 }), "a").generation, 10);
  });

  it("changes to a replacement in the same stack, an adopter or the stack that received the offer", () => {
    const other = claimant({ owner: "b", generation: 0, ...ELSEWHERE });
    assert.equal(judgeOwner(record(), { ...other, replaces: "a" }), "taken");
    assert.equal(judgeOwner(record(), { ...other, adopts: "a" }), "taken");
    assert.equal(judgeOwner(record({ offeredTo: offerTo(ELSEWHERE) }), other), "taken");
    assert.equal(judgeOwner(record({ offeredTo: offerTo(HERE) }), other), "foreign");
    assert.equal(judgeOwner(record(), { ...other, adopts: "c" }), "foreign");
  });

  it("is not a stack that adopts it by command while it is offered to another one", () => {
    const adopter = claimant({ owner: "b", generation: 0, ...ELSEWHERE, adopts: "a", byCommand: true });
    assert.equal(judgeOwner(record(), adopter), "taken");
    assert.equal(judgeOwner(record({ offeredTo: offerTo(ELSEWHERE) }), adopter), "taken");
    assert.equal(judgeOwner(record({ offeredTo: "stackyard-runtime/acme in gs://third" }), adopter), "foreign");
    const previewed = { ...adopter, byCommand: false };
    assert.equal(judgeOwner(record({ offeredTo: "stackyard-runtime/acme in gs://third" }), previewed), "taken");
  });

  it("can continue a killed creation only in the same stack and backend", () => {
    const killed = record({ generation: 1, from: 0, phase: "applying" });
    assert.equal(judgeOwner(killed, claimant({ owner: "b", generation: 0 })), "taken");
    assert.equal(judgeOwner(killed, claimant({ owner: "b", generation: 0, ...ELSEWHERE })), "foreign");
    assert.equal(judgeOwner({ ...killed, phase: "applied" }, claimant({ owner: "b", generation: 0 })), "foreign");
  });

  it("is named in the error, with the adopt command", () => {
    const thing = { title: "runtime acme", adopt: "stackyard runtime adopt acme" };
    assert.throws(
      () => requireOwner(record(), claimant({ owner: "b", generation: 0, ...ELSEWHERE }), thing),
      (error: unknown) =>
        error instanceof OwnerError &&
        /^runtime acme belongs to stack stackyard-runtime\/acme in s3:\/\/states, .*ann@laptop/.test(error.message) &&
        error.message.endsWith("stackyard runtime adopt acme"),
    );
    assert.throws(
      () => requireOwner(record(), claimant({ generation: 1 }), thing),
      /generation 3, and the state .* older/,
    );
    requireOwner(record(), claimant(), thing);
    requireOwner(undefined, claimant(), thing);
  });

  it("is read from the URN of its resource", () => {
    const urn = "urn:pulumi:acme::stackyard-runtime::stackyard:index:ManifestSet::set";
    assert.deepEqual(stackOf({ urn, backend: "s3://states" }), HERE);
  });
});

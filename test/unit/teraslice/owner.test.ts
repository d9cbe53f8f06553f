import assert from "node:assert/strict";
import { exported } from "../../../cli/teraslice/reached";
import { isLabel } from "../../../kubernetes/objects/names";
import {
  generationOf,
  isOwn,
  ownedByText,
  ownerError,
  withOwner,
  withoutOwner,
} from "../../../provider/resources/terasliceJob/owner";

describe("the owner of a job at a Teraslice master", () => {
  const JOB = { name: "example", labels: { stackyard: "dev-example" } };
  const HERE = { stack: "platform/dev", backend: "s3://states" };
  const COPY = { stack: "platform/dev", backend: "file:///home/ann/a folder on laptop" };
  const state = (generation?: number) => ({
    jobId: "1",
    registered: {},
    ...(generation !== undefined && { generation }),
  });

  it("is stored in the job's labels with valid values, but not in the program's job", () => {
    const job = withOwner(JOB, COPY, 2);
    const { stackyard, ...marks } = job["labels"] as Record<string, string>;
    assert.equal(stackyard, "dev-example");
    for (const value of Object.values(marks)) assert.ok(isLabel(value), value);
    assert.equal(generationOf(job), 2);
    assert.deepEqual(withoutOwner(job), JOB);
    assert.deepEqual(exported(job, undefined), { name: "example" });
  });

  it("is a stack in its backend, even without a state", () => {
    const job = withOwner(JOB, HERE, 2);
    assert.ok(isOwn(job, HERE, undefined));
    assert.ok(isOwn(job, HERE, state(1)));
    assert.ok(!isOwn(job, COPY, undefined));
    assert.ok(!isOwn(job, { ...HERE, stack: "other/dev" }, undefined));
  });

  it("can move to another backend with its state, until another state changes the job", () => {
    const job = withOwner(JOB, HERE, 2);
    assert.ok(isOwn(job, COPY, state(2)));
    const moved = withOwner(JOB, COPY, 3);
    assert.ok(!isOwn(moved, HERE, state(2)));
    assert.ok(!isOwn(moved, HERE, state()));
  });

  it("is unknown for a job without owner labels, which any stack with its label continues", () => {
    assert.ok(isOwn(JOB, HERE, undefined));
    assert.equal(generationOf(JOB), 0);
  });

  it("is named in the error, with the way to adopt the job", () => {
    const job = { ...withOwner(JOB, HERE, 2), job_id: "1", _updated: "2026-01-01" };
    assert.match(
      ownedByText(job),
      /^belongs to stack platform-dev-\w+ in s3-states-\w+, .* at 2026-01-01 \(generation 2\)$/,
    );
    assert.match(
      ownerError("example", job).message,
      /^job example \(1\) belongs .* remove its labels stackyard-stack and /,
    );
  });
});

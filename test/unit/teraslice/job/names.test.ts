import assert from "node:assert/strict";
import fc from "fast-check";
import { footprint } from "../../../../components/teraslice/job/footprint/footprint";
import {
  footprintNames,
  instanceLabel,
  isLegalLabel,
  isLegalName,
  jobLabel,
  jobNameLabel,
} from "../../../../components/teraslice/job/footprint/names";
import { jobFaults, sameNames } from "../../../../components/teraslice/job/validate";
import { settingsOf, type Planned } from "../samples";
import { fault, fine } from "./faults";
import { IDS, LEAST } from "./samples";

describe("the names of a Teraslice job", () => {
  it("match the names in Teraslice's own tests", () => {
    const workersOf = (name: string): string => footprintNames(name, "7ba9afb0-417a-4f1b-9d3c-1f0e2d3c4b5a").workers;
    assert.equal(workersOf("aa"), "ts-wkr-aa-7ba9afb0-417a");
    const expected = [
      ["00", "a0"],
      ["a", "a"],
      ["0", "a"],
      ["-job-", "ajob0"],
      ["-JOB-", "ajob0"],
      ["teraslice-JOB-name", "teraslice-job-name"],
    ] as const;
    for (const [name, label] of expected) {
      assert.equal(jobNameLabel(name), label);
      assert.equal(workersOf(name), `ts-wkr-${label}-7ba9afb0-417a`);
    }
    assert.deepEqual(["key 1", "key2%", "k".repeat(64)].map(jobLabel), ["key-1", "key2-", "k".repeat(63)]);
    assert.equal(instanceLabel("my cluster!"), "my_cluster_");
    assert.equal(instanceLabel("c".repeat(70)).length, 63);
  });

  it("are truncated so that the longest name fits", () => {
    const { controller, service, workers } = footprintNames("n".repeat(90), IDS.jobId);
    assert.deepEqual(
      [controller, service, workers].map(({ length }) => length),
      [56, 60, 56],
    );
  });

  it("are reported if Kubernetes would reject them, with a valid suggestion", () => {
    fault(/^name: found "a\.b"; .*calls objects ts-exc-a\.b-…, which Kubernetes refuses; such as a-b$/, {
      name: "a.b",
    });
    const cut = `${"a".repeat(62)}-b`;
    fault(/^name: .*makes it the label a{62}-, which Kubernetes refuses; such as a{62}$/, { name: cut });
    fine({ name: `${"a".repeat(40)}.b` });
  });

  it("are valid in every accepted job", () => {
    const settings = settingsOf();
    const words = fc.oneof(
      fc.string({ minLength: 1, maxLength: 80 }),
      fc.stringMatching(/^[a-zA-Z0-9 ._-]{1,80}$/),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 70 }),
    );
    let accepted = 0;
    fc.assert(
      fc.property(words, fc.dictionary(words, words, { maxKeys: 3 }), (name, labels) => {
        const job = { ...LEAST, name, labels };
        if (jobFaults(job, settings).some(({ level }) => level === "error")) return;
        accepted += 1;
        const made = footprint(job, settings, IDS);
        for (const each of Object.values<Planned>({ ...made })) {
          assert.ok(isLegalName(each.metadata.name as string), each.metadata.name as string);
          for (const [key, value] of Object.entries<string>(each.metadata.labels as Record<string, string>)) {
            assert.ok(isLegalLabel(key.replace(/^[a-z.-]+\//, "")), key);
            assert.ok(isLegalLabel(value), value);
          }
        }
      }),
      { numRuns: 1000 },
    );
    assert.ok(accepted > 50, `only ${accepted} of 1000 were accepted`);
  });

  it("are compared in the form that a master gives them", () => {
    const set = [{ name: "Daily" }, { name: "other" }, { name: "daily" }, {}, { name: "custom job" }];
    assert.deepEqual(
      [...sameNames(set)],
      [
        [2, 0],
        [4, 3],
      ],
    );
  });
});

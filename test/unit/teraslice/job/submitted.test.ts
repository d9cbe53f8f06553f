import assert from "node:assert/strict";
import fc from "fast-check";
import { mergeOverride } from "../../../../components/teraslice/job/merge";
import { submitted } from "../../../../components/teraslice/job/settings";
import { jobPodOverride } from "../../../../components/teraslice/podConfig/secretConfig";
import { SECRETIVE, settingsOf, type Planned } from "../samples";

const job = { name: "example", operations: [{ _op: "reader" }, { _op: "noop" }] };

describe("a submitted job", () => {
  it("is the unchanged job if its pods need nothing", () => {
    assert.deepEqual(submitted({ ...job, anything: { of: "theirs" } }, settingsOf()), {
      ...job,
      anything: { of: "theirs" },
    });
  });

  it("omits the metadata of command line tools", () => {
    const file = { ...job, __metadata: { cli: { cluster: "http://localhost", job_id: "1" } } };
    assert.deepEqual(submitted(file, settingsOf()), job);
  });

  it("has the override that its pods need", () => {
    const settings = settingsOf({}, {}, SECRETIVE);
    const before = structuredClone(job);
    assert.deepEqual(submitted(job, settings), { ...job, pod_spec_override: jobPodOverride(settings) });
    assert.deepEqual(job, before);
  });

  it("gives the job's own override precedence, with lists by position", () => {
    const settings = settingsOf({ imagePullSecrets: ["one", "two"] });
    const override = { imagePullSecrets: [{ name: "mine" }], hostAliases: [{ ip: "10.0.0.1" }] };
    assert.deepEqual(submitted({ ...job, pod_spec_override: override }, settings)["pod_spec_override"], {
      imagePullSecrets: [{ name: "mine" }, { name: "two" }],
      hostAliases: [{ ip: "10.0.0.1" }],
    });
  });

  it("adds init containers after write-config, and merges one of the same name", () => {
    const settings = settingsOf({}, {}, SECRETIVE);
    const own = [{ name: "fetch", image: "example/fetch:1" }];
    const both = submitted({ ...job, pod_spec_override: { initContainers: own } }, settings) as Planned;
    const [writer, fetch, ...more] = both.pod_spec_override.initContainers as Planned[];
    assert.equal(writer.name, "write-config");
    assert.ok(writer.command && writer.env);
    assert.deepEqual([fetch, ...more], own);
    const same = [...own, { name: "write-config", image: "example/node:24" }];
    const laid = submitted({ ...job, pod_spec_override: { initContainers: same } }, settings) as Planned;
    const [first, second] = laid.pod_spec_override.initContainers as Planned[];
    assert.deepEqual([first.name, first.image, first.command], ["write-config", "example/node:24", writer.command]);
    assert.deepEqual(second, own[0]);
  });

  it("is merged in the same way as in a master", () => {
    const cases: [unknown, unknown, unknown][] = [
      [{ a: 1, b: { c: 2 } }, { b: { d: 3 } }, { a: 1, b: { c: 2, d: 3 } }],
      [[{ a: 1 }, 2], [{ b: 2 }], [{ a: 1, b: 2 }, 2]],
      [[1], [2, 3], [2, 3]],
      [{ a: { b: 1 } }, { a: null }, { a: null }],
      [{ a: { b: 1 } }, { a: "text" }, { a: "text" }],
      [{ a: "text" }, { a: { b: 1 } }, { a: { b: 1 } }],
      [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
      [{ a: [{ b: 1 }] }, { a: { c: 2 } }, { a: { c: 2 } }],
      [{}, { toString: { b: 1 } }, { toString: { b: 1 } }],
      [{ a: 1 }, { a: undefined }, { a: 1 }],
    ];
    for (const [under, over, expected] of cases) assert.deepEqual(mergeOverride(under, over), expected);
    const poisoned = mergeOverride({}, JSON.parse('{"__proto__": {"a": 1}}')) as Planned;
    assert.equal(poisoned.a, undefined);
  });

  it("changes no input of the merge, and stays the same when merged twice", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (under, over) => {
        const before = structuredClone([under, over]);
        const once = mergeOverride(under, over);
        assert.deepEqual([under, over], before);
        assert.deepEqual(mergeOverride(once, over), once);
      }),
    );
  });
});

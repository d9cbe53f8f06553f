import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { decodeConfig } from "../../../../components/platform/config/decodeConfig";
import type { TerasliceJobSettings } from "../../../../components/teraslice/job/settings";
import { decode, faultsOf, FILES, filesOf, linesOf } from "../../config/fixtures";
import { withTeraslice } from "../samples";
import { LEAST } from "./samples";

const files = {
  ...FILES,
  read: (path: string): Buffer => {
    try {
      return FILES.read(path);
    } catch {
      return mine.read(path);
    }
  },
};
const mine = filesOf({
  "jobs/least.json": JSON.stringify(LEAST),
  "jobs/yaml.yaml": "name: From YAML\nworkers: 1\noperations:\n  - _op: reader\n  - _op: noop\n",
  "jobs/wrong.json": JSON.stringify({ ...LEAST, name: "wrong", targets: [{ key: "a", value: "b", constraint: "c" }] }),
  "jobs/odd.json": JSON.stringify({ ...LEAST, worker: 3 }),
  "jobs/broken.json": '{"name":',
  "jobs/list.json": "[]",
  "assets/standard.zip": "PK\u0003\u0004rest",
  "assets/text.zip": "hello",
});

const jobsOf = (jobs: object, raw = {}): readonly TerasliceJobSettings[] =>
  decode(withTeraslice({ jobs }), raw, files).teraslice?.jobs ?? [];
const lines = (jobs: unknown, raw = {}): string[] => linesOf(withTeraslice({ jobs }), raw, files);

/** The one fault of these jobs. */
function fault(expected: RegExp, jobs: unknown): void {
  const all = lines(jobs);
  assert.equal(all.length, 1, all.join("\n"));
  assert.match(all[0] ?? "", expected);
}

describe("the config of Teraslice jobs", () => {
  it("reads jobs from files and inline, in the order of the config", () => {
    const digest = createHash("sha256").update("PK\u0003\u0004rest").digest("hex");
    assert.deepEqual(
      jobsOf({
        second: { file: "jobs/least.json" },
        first: { job: { ...LEAST, name: "first" }, state: "registered", assets: ["assets/standard.zip"] },
        third: { file: "jobs/yaml.yaml", workers: 4 },
      }),
      [
        {
          key: "second",
          job: LEAST,
          state: "running",
          assets: [],
          source: "jobs/least.json",
          secret: false,
          warnings: [],
        },
        {
          key: "first",
          job: { ...LEAST, name: "first" },
          state: "registered",
          assets: [{ path: "assets/standard.zip", sha256: digest }],
          source: "stackyard:teraslice.jobs.first.job",
          secret: false,
          warnings: [],
        },
        {
          key: "third",
          job: { name: "From YAML", workers: 4, operations: [{ _op: "reader" }, { _op: "noop" }] },
          state: "running",
          assets: [],
          source: "jobs/yaml.yaml",
          secret: false,
          warnings: [],
        },
      ],
    );
    assert.deepEqual(jobsOf({}), []);
  });

  const prefered = {
    targets: [
      { key: "a", value: "b" },
      { key: "c", value: "d", constraint: "prefered" },
    ],
  };

  it("reports faults of a job with their paths", () => {
    fault(
      /^teraslice\.jobs\.one\.job\.targets\[1\]\.constraint: found "prefered"; expected required or preferred or accepted; did you mean preferred$/,
      { one: { job: { ...LEAST, ...prefered } } },
    );
    fault(/^teraslice\.jobs\.one\.file: jobs\/wrong\.json: targets\[0\]\.constraint: found "c"/, {
      one: { file: "jobs/wrong.json" },
    });
    fault(/^teraslice\.jobs\.one\.file: jobs\/list\.json: found a list; expected a job/, {
      one: { file: "jobs/list.json", workers: 2 },
    });
  });

  it("reports why a job file or an asset is invalid", () => {
    fault(/^teraslice\.jobs\.one\.file: found "jobs\/none\.json", no such file; expected a job file, JSON or YAML/, {
      one: { file: "jobs/none.json" },
    });
    fault(/^teraslice\.jobs\.one\.file: found "jobs\/broken\.json", neither JSON nor YAML in line 1, column/, {
      one: { file: "jobs/broken.json" },
    });
    fault(/^teraslice\.jobs\.one\.assets\[1\]: found "assets\/none\.zip", no such file; expected a zip file/, {
      one: { job: LEAST, assets: ["assets/standard.zip", "assets/none.zip"] },
    });
    fault(/^teraslice\.jobs\.one\.assets\[0\]: found "assets\/text\.zip", no zip file; expected/, {
      one: { job: LEAST, assets: ["assets/text.zip"] },
    });
  });

  it("requires either a file or a job, and rejects unknown keys", () => {
    fault(/^teraslice\.jobs\.one: found an object; expected either file or job/, {
      one: { job: LEAST, file: "jobs/least.json" },
    });
    fault(/^teraslice\.jobs\.one: found an object; expected either file or job/, { one: { workers: 1 } });
    fault(/^teraslice\.jobs\.one\.worker: found an unknown key.*did you mean workers/, {
      one: { job: LEAST, worker: 1 },
    });
    fault(/^teraslice\.jobs\.one\.state: found "stopped"; expected running or registered/, {
      one: { job: LEAST, state: "stopped" },
    });
    fault(/^teraslice\.jobs\.One: found the name "One"; expected a name of a-z/, { One: { job: LEAST } });
    fault(/^teraslice\.jobs: found a list of 1; expected an object of jobs by name/, [LEAST]);
  });

  it("requires jobs that can be distinguished in Kubernetes", () => {
    fault(/^teraslice\.jobs\.two\.job\.name: found "Teraslice_job name"; .*objects of teraslice\.jobs\.one the same/, {
      one: { file: "jobs/least.json" },
      two: { job: { ...LEAST, name: "Teraslice_job name" } },
    });
    fault(/^teraslice\.jobs\.two\.file: jobs\/least\.json: name: found "teraslice-job-name"/, {
      one: { job: LEAST },
      two: { file: "jobs/least.json" },
    });
  });

  it("reports faults of all jobs at once, in the order of the config", () => {
    const all = lines({ b: { job: {} }, a: { file: "jobs/wrong.json" }, c: { job: { ...LEAST, workers: 0 } } });
    assert.deepEqual(
      all.map((each) => each.split(":")[0]),
      ["teraslice.jobs.b.job.operations", "teraslice.jobs.a.file", "teraslice.jobs.c.job.workers"],
    );
  });

  it("keeps warnings for the preview, with their paths", () => {
    const [odd, own] = jobsOf({ odd: { file: "jobs/odd.json" }, own: { job: { ...LEAST, name: "a", extra: 1 } } });
    assert.match(
      odd?.warnings.join("\n") ?? "",
      /^stackyard:teraslice\.jobs\.odd\.file: jobs\/odd\.json: worker: found an unknown key, .*did you mean workers$/,
    );
    assert.match(own?.warnings.join("\n") ?? "", /^stackyard:teraslice\.jobs\.own\.job\.extra: found an unknown key/);
  });

  it("shows no values of a job with a secret, and marks the job as secret", () => {
    const raw = { secretKeys: new Set(["teraslice"]) };
    const job = { ...LEAST, name: "hunter.2", lifecycle: "hunter2", labels: { a: "hunter2%" }, targets: [1] };
    const hidden = lines({ one: { job }, two: { job: { ...LEAST, name: "hunter.2" } } }, raw);
    assert.equal(hidden.length, 6, hidden.join("\n"));
    assert.doesNotMatch(hidden.join("\n"), /hunter/);
    const [one, two] = jobsOf({ one: { job: { ...LEAST, name: "a" } }, two: { file: "jobs/least.json" } }, raw);
    assert.deepEqual([one?.secret, two?.secret], [true, false]);
  });

  it("is checked even if Teraslice is disabled", () => {
    const off = withTeraslice({ enabled: false, jobs: { one: { file: "jobs/wrong.json" } } });
    assert.equal(faultsOf(off, {}, files).length, 1);
    assert.equal(decodeConfig({ values: withTeraslice({ enabled: false }) }, files).teraslice, undefined);
  });
});

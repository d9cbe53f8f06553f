import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { dump, loadAll } from "js-yaml";
import { createContext, type Context } from "../../../../cli/context";
import { workspacesIn } from "../../../../foundation/pulumi/backend";
import { Failure } from "../../../../foundation/errors";
import { render } from "../../../../cli/teraslice/render";
import { footprint } from "../../../../components/teraslice/job/footprint/footprint";
import { jobOwner, withOwner } from "../../../../components/teraslice/job/owner";
import { parseJobFile } from "../../../../components/teraslice/job/file";
import { settingsOf, withTeraslice } from "../samples";
import { IDS, LEAST } from "./samples";

const example = path.join(__dirname, "../../../../docs/examples/teraslice-job.yaml");

describe("stackyard teraslice render", () => {
  let folder: string;
  const printed: string[] = [];
  const said: string[] = [];

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), "stackyard-render-"));
    const config = (values: Record<string, unknown>): string =>
      dump({ config: Object.fromEntries(Object.entries(values).map(([key, value]) => [`stackyard:${key}`, value])) });
    writeFileSync(path.join(folder, "Pulumi.dev.yaml"), config(withTeraslice()));
    writeFileSync(path.join(folder, "Pulumi.off.yaml"), config(withTeraslice({ enabled: false })));
    const jobs = {
      mine: { file: "mine.json", workers: 7 },
      wrong: { job: {} },
      odd: { job: { ...LEAST, worker: 1 } },
      hidden: { job: { ...LEAST, env_vars: { TOKEN: { secure: "v1:abc" } } } },
    };
    writeFileSync(path.join(folder, "mine.json"), JSON.stringify(LEAST));
    writeFileSync(path.join(folder, "Pulumi.jobs.yaml"), config(withTeraslice({ jobs })));
    writeFileSync(path.join(folder, "Pulumi.without.yaml"), config({ defaultProvisioner: "shared" }));
    writeFileSync(path.join(folder, "Pulumi.wrong.yaml"), config(withTeraslice({ rbac: "all" }, { port: 0 })));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    printed.length = said.length = 0;
  });

  async function rendered(job: string | object, stack = "dev"): Promise<string> {
    const file = typeof job === "string" ? job : path.join(folder, "job.json");
    if (typeof job !== "string") writeFileSync(file, JSON.stringify(job));
    const context = {
      ...createContext(workspacesIn(folder, undefined)),
      print: (text: string) => printed.push(text),
      live: { line: (text: string) => said.push(text) },
    } as unknown as Context;
    await render(context, file, { stack, ...IDS });
    return printed.join("\n");
  }

  it("prints the three objects as YAML, in the order in which a master creates them", async () => {
    // With the label by which the job is found again, as it is registered.
    const { controller, service, workers } = footprint(withOwner(LEAST, jobOwner("dev", "job")), settingsOf(), IDS);
    const printed = await rendered(LEAST);
    assert.deepEqual(loadAll(printed), [controller, service, workers]);
    assert.match(printed, /job\.teraslice\.terascope\.io\/stackyard: dev-job/);
    assert.deepEqual(said, []);
  });

  it("renders for a disabled master, but not for a stack without a master", async () => {
    assert.equal(loadAll(await rendered(LEAST, "off")).length, 3);
    await assert.rejects(rendered(LEAST, "without"), /Pulumi\.without\.yaml has no stackyard:teraslice/);
    await assert.rejects(rendered(LEAST, "nowhere"), /no file describes the stack nowhere/);
  });

  it("renders a job of the stack by its name, and reports the faults of that job only", async () => {
    const [, , workers] = loadAll(await rendered("mine", "jobs")) as { spec: { replicas: number } }[];
    assert.equal(workers?.spec.replicas, 7);
    await assert.rejects(
      rendered("wrong", "jobs"),
      /1 fault;[^]*stackyard:teraslice\.jobs\.wrong\.job\.operations: found/,
    );
    assert.match(await rendered("hidden", "jobs"), /name: TOKEN\n +value: encrypted\n/);
    await rendered("odd", "jobs");
    assert.match(said.join("\n"), /^warning: stackyard:teraslice\.jobs\.odd\.job\.worker: /);
  });

  it("reports all faults of a job, and prints nothing", async () => {
    const wrong = { ...LEAST, lifecycle: "never", targets: [{ key: "zone", value: "west", constraint: "accept" }] };
    await assert.rejects(rendered({ ...wrong, worker: 1 }), (error: Error) => {
      assert.ok(error instanceof Failure);
      assert.match(
        error.message,
        /job\.json has 2 faults:\n {2}- lifecycle: .*\n {2}- targets\[0\]\.constraint: found /,
      );
      return true;
    });
    assert.deepEqual(printed, []);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? "", /warning: .*job\.json: worker: found an unknown key.*did you mean workers/);
  });

  it("reports the faults of the stack", async () => {
    await assert.rejects(
      rendered(LEAST, "wrong"),
      /2 faults[^]*stackyard:teraslice\.settings\.port[^]*stackyard:teraslice\.rbac/,
    );
  });

  it("rejects a missing file, and a file that is not a job", async () => {
    await assert.rejects(
      rendered(path.join(folder, "none.json")),
      /none\.json is no job of the stack dev, and no job file: there is no such file/,
    );
    await assert.rejects(rendered([1]), /job\.json has 1 fault:\n {2}- found a list; expected a job/);
    const broken = path.join(folder, "broken.json");
    writeFileSync(broken, '{"name": "a",\n "name": "b"}');
    await assert.rejects(rendered(broken), /broken\.json is neither JSON nor YAML in line 2, column \d: duplicated/);
  });

  it("renders the example without a warning", async () => {
    assert.equal(loadAll(await rendered(example)).length, 3);
    assert.deepEqual(said, []);
  });
});

describe("a job file", () => {
  it("is JSON or YAML, and contains no dates", () => {
    assert.deepEqual(parseJobFile('{\n\t"name": "a",\t"since": "2026-01-01"\n}'), {
      job: { name: "a", since: "2026-01-01" },
    });
    assert.deepEqual(parseJobFile("base: &b { a: 1 }\nfull:\n  <<: *b\n  since: 2026-01-01\n"), {
      job: { base: { a: 1 }, full: { a: 1, since: "2026-01-01" } },
    });
    assert.match(JSON.stringify(parseJobFile("")), /neither JSON nor YAML.*empty/);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { actionlint } from "../../tools/actionlint";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { GitHubDouble } from "../../doubles/github";
import { testYard } from "../runtime/yard";
import { Repository } from "./repository";

const run = promisify(execFile);
const root = path.join(__dirname, "../../..");
const folder = path.join(root, ".github/workflows");

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly Step[] }>>;
}

const workflow = (file: string): Workflow => load(readFileSync(path.join(folder, file), "utf8")) as Workflow;

describe("the workflows", function () {
  this.timeout(180_000);
  let repository: Repository;
  let github: GitHubDouble;
  let bin: string;
  let tried: Set<string>;

  before(async () => {
    const place = await testYard();
    tried = new Set();
    github = await new GitHubDouble().start();
    repository = new Repository({ ...place, env: { ...place.env, ...github.env } }, randomBytes(3).toString("hex"));
    await repository.prepare();
    bin = path.join(repository.project.folder, ".git", "bin");
    mkdirSync(bin);
    // `npx stackyard` of a checkout runs its own.
    writeFileSync(path.join(bin, "npx"), '#!/bin/sh\nshift\nexec stackyard "$@"\n');
    chmodSync(path.join(bin, "npx"), 0o755);
    await repository.project.must(
      "ln",
      "-s",
      path.join(root, "policy"),
      path.join(repository.project.folder, "policy"),
    );
    repository.commit();
    await repository.project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
  });
  after(async () => {
    await repository.remove();
    await github.stop();
  });

  /** Runs the script of a step as GitHub would, with other stacks than the workflow's. */
  async function play(file: string, job: string, values: Readonly<Record<string, string>>): Promise<string> {
    const steps = workflow(file).jobs[job]?.steps?.filter((each) => each.run?.includes("stackyard")) ?? [];
    assert.equal(steps.length, 1, `${file} ${job}`);
    const { run: script = "", env: given = {} } = steps[0]!;
    tried.add(`${file} ${job}`);
    const known = Object.entries(given).map(([name, value]) => {
      const isExpression = value.includes("${{");
      const inherited = name.startsWith("PULUMI_") || name === "GITHUB_TOKEN";
      assert.ok(!isExpression || inherited || name in values, `${file} ${job}: ${name} is not known here`);
      return [name, isExpression ? values[name] : value] as const;
    });
    const own = Object.fromEntries(known.filter(([, value]) => value !== undefined)) as Record<string, string>;
    const env = {
      ...repository.place.env,
      STACKYARD_PROJECT: repository.project.folder,
      PATH: [bin, path.join(root, "cli/bin"), repository.place.env["PATH"]].join(path.delimiter),
      NO_COLOR: "1",
      ...values,
      ...own,
    };
    const { stdout, stderr } = await run(
      "bash",
      ["-e", "-o", "pipefail", "-c", script.replace("staging prod", "here there")],
      {
        cwd: repository.project.folder,
        env,
      },
    );
    return stdout + stderr;
  }

  it("pass actionlint", async () => {
    const { programs } = await ensureTools(root, [actionlint]);
    const files = readdirSync(folder).map((file) => path.join(folder, file));
    // Queues are of 2026, and not known to it yet.
    const flags = ["-no-color", "-ignore", 'unexpected key "queue" for "concurrency" section'];
    await run(programs["actionlint"] ?? "", [...flags, ...files], { cwd: root });
  });

  it("plan the stacks that a pull request changes, except the yard's", async function () {
    try {
      await run("jq", ["--version"]);
    } catch {
      return this.skip(); // GitHub's machines have it.
    }
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
    repository.set("there", ["stackyard:slot"], { cpu: 2 });
    const output = path.join(bin, "output");
    writeFileSync(output, "");
    await play("preview.yaml", "plan", { BASE: "main", GITHUB_OUTPUT: output });
    repository.git("checkout", "-q", "Pulumi.there.yaml");
    assert.equal(readFileSync(output, "utf8"), 'stacks=["there"]\n');
  });

  const holds = async (args: readonly string[]): Promise<void> => {
    const { code, stderr } = await repository.project.stackyard(...args);
    assert.equal(code, 0, stderr);
  };

  it("preview a stack and comment", async () => {
    await play("preview.yaml", "preview", { STACK: "there", NUMBER: "12", RUNNER_TEMP: bin });
    assert.match(readFileSync(path.join(bin, "changes.md"), "utf8"), /<summary>create <code>/);
    assert.match(github.comments[0]?.body ?? "", /### `stackyard\/there`: \d+ to create/);
  });

  it("plan, deploy the plan, and then find nothing to plan", async () => {
    // The pull request of the preview is merged, into the commit that is deployed.
    github.pulls.set(12, { state: "closed", merged: true, merge_commit_sha: "merge" });
    github.histories.set("head", ["merge"]);
    const values = {
      GITHUB_SHA: "head",
      RUNNER_TEMP: bin,
      ...{ FROM: "here", TO: "there", ANY_COMMIT: "" },
      GITHUB_OUTPUT: path.join(bin, "outputs"),
      GITHUB_STEP_SUMMARY: path.join(bin, "page"),
    };
    const planned = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
      for (const file of [values.GITHUB_OUTPUT, values.GITHUB_STEP_SUMMARY]) writeFileSync(file, "");
      await play("promote.yaml", "plan", { ...values, ...more });
      return readFileSync(values.GITHUB_OUTPUT, "utf8");
    };
    assert.equal(await planned({ ANY_COMMIT: "yes" }), "changes=true\n");
    assert.match(readFileSync(values.GITHUB_STEP_SUMMARY, "utf8"), /### `stackyard\/there`: \d+ to create/);
    assert.match(
      await play("promote.yaml", "deploy", { ...values, ANY_COMMIT: "yes" }),
      /stackyard\/there has what stackyard\/here has\n.*released the lock of pull request 12/,
    );
    rmSync(path.join(bin, "plan.json"));
    assert.equal(await planned(), "changes=false\n");
    assert.equal(existsSync(path.join(bin, "plan.json")), false);

    await holds(["lock", "acquire", "there", "--pull-request", "12"]);
    repository.set("there", ["stackyard:environments"], { dev: { provisioner: "only" } });
    repository.commit();
    await repository.project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    assert.equal(await planned(), "changes=true\n");
    const deployed = await play("promote.yaml", "deploy", values);
    assert.match(deployed, /stackyard\/there has what stackyard\/here has\n.*released the lock of pull request 12/);
  });

  it("check for drift at night", async () => {
    assert.match(await play("drift.yaml", "drift", {}), /stackyard\/there has no drift/);
  });

  it("call the command line in no script that is not tested here", () => {
    const scripts = readdirSync(folder).flatMap((file) =>
      Object.entries(workflow(file).jobs).flatMap(([job, { steps = [] }]) =>
        steps.flatMap(({ run: script }) => (script?.includes("npx stackyard") ? [`${file} ${job}`] : [])),
      ),
    );
    assert.deepEqual(
      scripts.filter((each) => !tried.has(each)).filter((each) => each !== "preview.yaml plan"),
      [],
    );
  });
});

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { load } from "js-yaml";

const github = path.join(__dirname, "../../../.github");

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly environment?: string;
  readonly steps?: readonly Step[];
  readonly concurrency?: { readonly group: string; readonly queue?: string };
  readonly uses?: string;
}

const read = (file: string): unknown => load(readFileSync(path.join(github, file), "utf8"));
const workflows = readdirSync(path.join(github, "workflows")).map((name) => ({
  name,
  jobs: (read(`workflows/${name}`) as { jobs: Readonly<Record<string, Job>> }).jobs,
}));
const actions = readdirSync(path.join(github, "actions")).map(
  (name) => (read(`actions/${name}/action.yaml`) as { runs: { steps: readonly Step[] } }).runs,
);
const steps = [...workflows.flatMap(({ jobs }) => Object.values(jobs)), ...actions].flatMap((each) => each.steps ?? []);

describe("the workflows of the project", () => {
  it("pin the actions of others to a commit", () => {
    const theirs = steps.flatMap(({ uses }) => (uses === undefined || uses.startsWith("./") ? [] : [uses]));
    assert.ok(theirs.length > 0);
    for (const uses of theirs) assert.match(uses, /@[0-9a-f]{40}$/);
  });

  it("leave no token in the checkout", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    assert.ok(checkouts.length > 0);
    for (const { with: given } of checkouts) assert.equal(given?.["persist-credentials"], false);
  });

  it("install packages without running their scripts", () => {
    const installs = steps.flatMap(({ run = "" }) => run.match(/npm (ci|install).*/g) ?? []);
    assert.ok(installs.length > 0);
    for (const install of installs) assert.match(install, /--ignore-scripts/);
  });

  it("use secrets only in jobs with an environment, which can require reviewers", () => {
    for (const { name, jobs } of workflows) {
      for (const [job, content] of Object.entries(jobs)) {
        if (JSON.stringify(content).includes("secrets.")) assert.ok(content.environment, `${name} ${job}`);
      }
    }
  });

  it("deploy to each environment in a queue of its own, which drops nothing", () => {
    const { jobs } = workflows.find(({ name }) => name === "deploy.yaml")!;
    for (const [job, { concurrency }] of Object.entries(jobs)) {
      assert.deepEqual(concurrency, { group: `deploy-${job}`, queue: "max" });
    }
    assert.equal((read("workflows/deploy.yaml") as Job).concurrency, undefined);
  });

  it("run no code with rights on behalf of others, and release from no cache", () => {
    for (const { name } of workflows) {
      const text = readFileSync(path.join(github, "workflows", name), "utf8");
      assert.doesNotMatch(text, /pull_request_target|workflow_run/, name);
      if (name === "release.yaml") assert.doesNotMatch(text, /actions\/cache@|cache: (true|npm)/);
    }
  });
});

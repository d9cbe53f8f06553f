import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { GitHubDouble } from "../../doubles/github";
import { Project, type Ended } from "../cli/project";
import { testYard } from "../runtime/yard";
import { Repository } from "./repository";

const tag = randomBytes(3).toString("hex");
const root = path.join(__dirname, "../../..");

describe("the delivery from one stack to the next", function () {
  this.timeout(120_000);
  let repository: Repository;
  let project: Project;
  let github: GitHubDouble;

  const stackyard = (...args: string[]): Promise<Ended> => project.stackyard(...args);
  const well = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await stackyard(...args);
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };
  const fails = async (expected: RegExp, ...args: string[]): Promise<void> => {
    const { code, stdout, stderr } = await stackyard(...args);
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout + stderr, expected);
  };

  before(async () => {
    const place = await testYard();
    github = await new GitHubDouble().start();
    repository = new Repository({ ...place, env: { ...place.env, ...github.env } }, tag);
    ({ project } = repository);
    await repository.prepare();
  });
  after(async () => {
    await repository.remove();
    await github.stop();
  });

  it("lists exactly the stacks that a change affects", async () => {
    const base = repository.commit();
    assert.match(await well("plan", "--since", base), /no stack is affected by the 0 files/);
    repository.set("there", ["stackyard:slot"], { cpu: 2 });
    const [only, ...others] = JSON.parse(await well("affected", "--since", base, "--json")) as {
      stack: string;
      by: string[];
    }[];
    assert.deepEqual([only?.stack, only?.by, others], ["stackyard/there", ["Pulumi.there.yaml"], []]);
    await fails(/git merge-base nowhere HEAD failed: Not a valid object name nowhere/, "plan", "--since", "nowhere");
    repository.git("checkout", "-q", "Pulumi.there.yaml");
    repository.git("rm", "-q", "Pulumi.there.yaml");
    assert.match(
      await well("affected", "--since", base),
      /stackyard\/there +Pulumi\.there\.yaml \(deleted; the stack itself stays/,
    );
    repository.git("reset", "-q", "--hard");
  });

  it("ignores what no stack has of a file: comments, types, scripts and packages of development", async () => {
    const write = (file: string, text: string): void => writeFileSync(path.join(project.folder, file), text);
    const json = (scripts: object, dependencies: object, more: object = {}): string =>
      JSON.stringify({ scripts, dependencies, ...more });
    const lock = (packages: object): string => JSON.stringify({ packages });
    write("index.ts", "export const a = 1;\n");
    write("package.json", json({}, { x: "1" }));
    write("package-lock.json", lock({ "node_modules/x": { version: "1" } }));
    const base = repository.commit();
    const affected = async (): Promise<string[]> =>
      (JSON.parse(await well("affected", "--since", base, "--json")) as { by: string[] }[]).flatMap(({ by }) => by);
    write("index.ts", "/** One. */\nexport const a: number = 1;\n");
    write("package.json", json({ y: "z" }, { x: "1" }, { devDependencies: { d: "1" } }));
    write(
      "package-lock.json",
      lock({ "node_modules/x": { version: "1" }, "node_modules/d": { version: "1", dev: true } }),
    );
    writeFileSync(repository.file("there"), `# A note.\n${readFileSync(repository.file("there"), "utf8")}`);
    assert.deepEqual(await affected(), []);
    write("index.ts", "export const a = 2;\n");
    write("package.json", json({}, { x: "2" }));
    write("package-lock.json", lock({ "node_modules/x": { version: "2" } }));
    assert.deepEqual([...new Set(await affected())].sort(), ["index.ts", "package-lock.json", "package.json"]);
    write("package-lock.json", "{");
    assert.ok((await affected()).includes("package-lock.json"));
    repository.git("rm", "-q", "--cached", "index.ts", "package.json", "package-lock.json");
    for (const file of ["index.ts", "package.json", "package-lock.json"]) rmSync(path.join(project.folder, file));
    repository.git("checkout", "-q", "Pulumi.there.yaml");
    repository.commit();
  });

  it("keeps a single comment on a pull request up to date", async () => {
    const flags = ["--policy", path.join(root, "policy/pulumi-analyzer-policy-stackyard"), "--comment", "7"];
    await well("preview", "there", ...flags);
    assert.equal(github.comments.length, 1);
    assert.match(github.comments[0]?.body ?? "", /### `stackyard\/there`: \d+ to create/);
    repository.set("there", ["stackyard:defaultProvisioner"], "nobody");
    await fails(/the preview of stackyard\/there failed/, "preview", "there", ...flags);
    assert.equal(github.comments.length, 1);
    assert.match(github.comments[0]?.body ?? "", /: failed\n[^]*stackyard:defaultProvisioner: found "nobody"/);
    repository.git("checkout", "-q", "Pulumi.there.yaml");
  });

  it("shows differences and changes, and deploys the content of the first stack", async () => {
    const preview = await well("promote", "here", "there", "--any-commit", "--preview", "--policy", "");
    assert.match(preview, new RegExp(`provisioners\\.only\\.spec\\.namespace +"delivery-${tag}" +"delivery-${tag}-b"`));
    assert.match(preview, /OUTPUTS +here +there\n[^]*provisioners +"\[secret\]" +-/);
    repository.set("here", ["stackyard:slot"], { cpu: 2 });
    repository.commit();
    await fails(
      /stackyard\/here runs [0-9a-f]{12}, and [0-9a-f]{12} is checked out; git checkout/,
      "promote",
      "here",
      "there",
    );
    await project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    const text = await well(
      "promote",
      "here",
      "there",
      "--yes",
      "--policy",
      path.join(root, "policy/pulumi-analyzer-policy-stackyard"),
    );
    assert.match(text, /✓ stackyard\/there has what stackyard\/here has/);
    assert.match(await well("promote", "here", "there", "--yes", "--policy", ""), /Resources:\n +\d+ unchanged/);
  });

  it("promotes a commit that the first stack has run, but none that is older than the second one's", async () => {
    const up = () => project.must("pulumi", "up", "-s", "here", "--yes", "--skip-preview");
    const promote = ["promote", "here", "there", "--policy", ""];
    const before = repository.git("rev-parse", "HEAD");
    const commits: string[] = [];
    for (const cpu of [3, 4]) {
      repository.set("here", ["stackyard:slot"], { cpu });
      commits.push(repository.commit());
      await up();
    }
    repository.git("checkout", "-q", commits[0]!);
    assert.match(await well(...promote, "--yes"), /stackyard\/there has what/);
    repository.git("checkout", "-q", before);
    await fails(/stackyard\/here runs [0-9a-f]{12}, and [0-9a-f]{12} is checked out/, ...promote, "--preview");
    repository.git("checkout", "-q", "-");
    repository.git("checkout", "-q", "-B", "main", commits[1]!);
  });

  it("deploys a saved plan and nothing else", async () => {
    const plan = path.join(project.folder, ".git", "plan.json");
    const promote = ["promote", "here", "there", "--any-commit", "--policy", ""];
    repository.set("there", ["stackyard:provisioners", "only", "spec", "quota"], { pods: 7 });
    assert.match(await well(...promote, "--save-plan", plan), /✓ stackyard\/there: 1 to update; the plan is in /);
    repository.set("there", ["stackyard:provisioners", "only", "spec", "quota"], { pods: 9 });
    await fails(/is not the plan .* any more[^]*Save and approve a new plan/, ...promote, "--plan", plan, "--yes");
    assert.match(await well("preview", "there", "--policy", ""), /✓ stackyard\/there: 1 to update/);
    repository.set("there", ["stackyard:provisioners", "only", "spec", "quota"], { pods: 7 });
    await well(...promote, "--plan", plan, "--yes");
    assert.match(await well(...promote, "--save-plan", plan), /✓ stackyard\/there: no changes/);
    assert.equal(existsSync(plan), false);
    repository.git("checkout", "-q", "Pulumi.there.yaml");
  });

  it("deploys to a locked stack only for the lock's owner", async () => {
    const promote = ["promote", "here", "there", "--any-commit", "--policy", ""];
    const refused = /stackyard\/there is locked by pull request 7 \(.+\) since .*: review/;
    await well("lock", "acquire", "there", "--pull-request", "7", "--reason", "review");
    assert.match(await well("lock", "list"), /^stackyard\/there +\S+ +7 +\S+ +review$/m);
    await fails(refused, ...promote, "--yes");
    await fails(refused, "lock", "acquire", "there");
    await fails(refused, "lock", "release", "there");
    await well(...promote, "--yes", "--pull-request", "7");
    assert.match(await well("lock", "release", "there", "--force"), /✓ stackyard\/there is released/);
  });

  it("locks for the first of two pull requests, and for the second once the first is closed", async () => {
    const preview = (number: string) => ["preview", "there", "--policy", "", "--comment", number, "--lock"];
    const locks = async (): Promise<unknown> =>
      (JSON.parse(await well("lock", "list", "--json")) as { pullRequest: number }[]).map((one) => one.pullRequest);
    await well(...preview("21"));
    assert.deepEqual(await locks(), []);
    repository.set("there", ["stackyard:provisioners", "only", "spec", "quota"], { pods: 6 });
    await well(...preview("21"));
    await fails(/stackyard\/there is locked by pull request 21/, ...preview("22"));
    assert.match(github.comments.at(-1)?.body ?? "", /🔒 stackyard\/there is locked by pull request 21/);
    assert.deepEqual(await locks(), [21]);
    assert.match(await well("lock", "release", "--pull-request", "21"), /✓ stackyard\/there is released/);
    await well(...preview("22"));
    assert.deepEqual(await locks(), [22]);
    repository.git("checkout", "-q", "Pulumi.there.yaml");
    await well(...preview("22"));
    assert.deepEqual(await locks(), []);
  });

  it("rejects a promotion of files without a commit", async () => {
    writeFileSync(path.join(project.folder, "more.txt"), "x");
    await fails(/files of the checkout differ from its commit/, "promote", "here", "there", "--preview");
    repository.git("clean", "-qf", "more.txt");
    await fails(
      /no file describes the stack nowhere; there are stackyard\/here, stackyard\/there/,
      "promote",
      "here",
      "nowhere",
    );
  });

  it("promotes a manual deployment from a stack file to which Pulumi added a salt", async () => {
    const up = ["up", "-s", "here", "--yes", "--skip-preview"];
    const promote = ["promote", "here", "there", "--preview", "--policy", ""];
    const before = repository.git("rev-parse", "HEAD").trim();
    const file = repository.file("here");
    const text = readFileSync(file, "utf8");
    // A file without a salt has no secrets either; no provisioner of it needs the ledger.
    const bare = text.replace(/^encryptionsalt:.*\n/m, "").replace(/^ {2}stackyard:ledger:\n {4}secure: .*\n/m, "");
    writeFileSync(file, bare);
    repository.commit();
    await project.must("pulumi", ...up);
    await project.must("pulumi", ...up);
    assert.match(repository.git("diff"), /^\+encryptionsalt: /m);
    await well(...promote);
    repository.set("here", ["stackyard:slot"], { cpu: 3 });
    await project.must("pulumi", ...up);
    repository.git("checkout", "-q", "Pulumi.here.yaml");
    await fails(/stackyard\/here was deployed with files that no commit has; deploy it again/, ...promote);
    repository.git("reset", "-q", "--hard", before);
    await project.must("pulumi", ...up);
  });

  it("reports drift in a single issue and closes the issue when the drift is gone", async () => {
    assert.match(await well("drift", "here", "there", "--issue"), /✓ stackyard\/there has no drift/);
    assert.equal(github.issues.length, 0);
    repository.kubectl("delete", "namespace", repository.namespaces[1]);
    for (let turn = 0; turn < 2; turn++) {
      await fails(/stackyard\/there: 1 to \w+ to remove the drift/, "drift", "here", "there", "--issue");
    }
    assert.equal(github.issues.length, 1);
    assert.equal(github.issues[0]?.title, "Drift: stackyard/there");
    await project.must("pulumi", "up", "-s", "there", "--yes", "--refresh", "--skip-preview");
    await well("drift", "there", "--issue");
    assert.equal(github.issues[0]?.state, "closed");
    const before = repository.git("rev-parse", "HEAD");
    repository.set("there", ["stackyard:provisioners", "only", "spec", "quota"], { pods: 3 });
    const after = repository.commit();
    const commits = [before, after].map((commit) => commit.slice(0, 12)).join(", and ");
    await fails(new RegExp(`deployed from ${commits} is checked out: what differs`), "drift", "there");
    repository.git("reset", "-q", "--hard", before);
  });

  it("reports missing GitHub settings and errors from GitHub", async () => {
    const as = (token: string): Project =>
      Object.assign(Object.create(Project.prototype) as Project, project, {
        place: { ...project.place, env: { ...project.place.env, GITHUB_TOKEN: token } },
      });
    const { stderr } = await as("").stackyard("drift", "here", "--issue");
    assert.match(stderr, /GitHub is not reached without GITHUB_TOKEN and GITHUB_REPOSITORY/);
    const refused = await as("other").stackyard("preview", "here", "--policy", "", "--comment", "7");
    assert.match(refused.stderr, /could not comment on pull request 7 of acme\/platform: Bad credentials/);
  });
});

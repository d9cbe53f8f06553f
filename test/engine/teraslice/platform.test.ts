import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { signalAll } from "../../../engine/process/processTree";
import { pidsOf, until } from "../cli/held";
import { addressOfMachine } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { smallJob, TerasliceWorld } from "./world";

/** Behind the Service of a platform's master stands a double; engine, provider and Kubernetes are real. */
describe("the jobs of a platform's Teraslice", function () {
  this.timeout(90_000);
  let world: TerasliceWorld;
  /** Ours alone: a command that is killed leaves its copy of the stack file behind. */
  const temporary = mkdtempSync(path.join(tmpdir(), "stackyard-register-"));

  before(async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    const place = await testYard();
    world = await TerasliceWorld.make({ ...place, env: { ...place.env, TMPDIR: temporary } }, address);
  });
  after(async () => {
    rmSync(temporary, { recursive: true, force: true });
    if (!world) return;
    await world.remove();
    assert.deepEqual(world.double.jobs(), []);
  });

  const up = () => world.pulumi("up", "--yes", "--skip-preview");
  const settled = () => world.pulumi("preview", "--expect-no-changes", "--diff");
  const statusOf = (name: string) => world.execution(name)?.["_status"];

  it("are previewed with the objects that the master will create, and not registered", async () => {
    world.describeJobs({
      one: smallJob("first"),
      two: smallJob("second"),
      three: { ...smallJob("third"), state: "registered" },
    });
    const text = await world.pulumi("preview");
    assert.match(text, /stackyard:index:TerasliceJob/);
    assert.match(text, /kind: Deployment/);
    assert.match(text, /ts-wkr-first-/);
    assert.deepEqual(world.double.jobs(), []);
  });

  it("are registered and started by one update, which shows no changes afterwards", async () => {
    await up();
    assert.deepEqual(["first", "second", "third"].map(statusOf), ["running", "running", undefined]);
    const outputs = JSON.parse(await world.pulumi("stack", "output", "--json")) as { teraslice: { jobs: object } };
    assert.deepEqual(Object.entries(outputs.teraslice.jobs).sort(), [
      ["one", world.job("first")["job_id"]],
      ["three", world.job("third")["job_id"]],
      ["two", world.job("second")["job_id"]],
    ]);
    await settled();
  });

  it("continue when the cluster's address changes", async () => {
    const runs = () => ["first", "second"].map((name) => world.execution(name)?.["ex_id"]);
    const before = runs();
    const file = path.join(world.jobsFolder, "other-kubeconfig");
    const text = readFileSync(world.project.place.kubeconfig, "utf8");
    writeFileSync(file, text.replace("https://127.0.0.1:", "https://localhost:"));
    const jobs = {
      one: smallJob("first"),
      two: smallJob("second"),
      three: { ...smallJob("third"), state: "registered" },
    };
    world.describeJobs(jobs, file);
    assert.doesNotMatch(await up(), /replaced|deleted|created/);
    world.describeJobs(jobs);
    await up();
    assert.deepEqual(runs(), before);
    await settled();
  });

  it("are rejected before anything is created if one of them is invalid", async () => {
    const before = world.double.requests.length;
    world.describeJobs({
      one: smallJob("first", { targets: [{ key: "zone", value: "west", constraint: "prefered" }] }),
    });
    await assert.rejects(
      up(),
      /stackyard:teraslice\.jobs\.one\.job\.targets\[0\]\.constraint: .*did you mean preferred/,
    );
    assert.equal(world.double.requests.length, before);
  });

  it("are updated one by one while the others continue", async () => {
    const ids = () => ["first", "second"].map((name) => world.execution(name)?.["ex_id"]);
    const before = ids();
    world.describeJobs({
      one: smallJob("first"),
      two: smallJob("second", { max_retries: 7 }),
      three: { ...smallJob("third"), state: "registered" },
    });
    assert.match(await up(), /~ 1 updated/);
    const after = ids();
    assert.equal(after[0], before[0]);
    assert.notEqual(after[1], before[1]);
    assert.equal(world.job("second")["max_retries"], 7);
    await settled();
  });

  it("show external changes, which the next update reverts", async () => {
    await world.double.pods?.scale(String(world.execution("first")?.["ex_id"]), 3);
    const text = await world.pulumi("preview", "--refresh", "--diff");
    assert.match(text, /workers: 3 => 1/);
    await world.pulumi("up", "--refresh", "--yes", "--skip-preview");
    assert.equal(await world.workers("first"), 1);
  });

  const teraslice = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await world.project.stackyard("teraslice", ...args, "--stack", "here");
    assert.equal(code, 0, stdout + stderr);
    return stdout + stderr;
  };

  it("are not left in the stack file when the master rejects them", async () => {
    const jobFile = path.join(world.jobsFolder, "lacking.json");
    writeFileSync(jobFile, JSON.stringify(smallJob("lacking", { assets: ["absent"] }).job));
    const before = readFileSync(world.file, "utf8");
    const { code, stdout, stderr } = await world.project.stackyard(
      ...["teraslice", "register", jobFile, "--yes", "--stack", "here"],
    );
    assert.equal(code, 1, stdout + stderr);
    assert.match(stdout + stderr, /the master has no asset absent.*Nothing was registered/s);
    assert.match(stdout + stderr, /Nothing was changed, and .* is unchanged/);
    assert.equal(readFileSync(world.file, "utf8"), before);
  });

  it("leave the stack file valid when their command is killed, and the next attempt registers them once", async () => {
    const jobFile = path.join(world.jobsFolder, "cut.json");
    writeFileSync(jobFile, JSON.stringify(smallJob("cut").job));
    const before = readFileSync(world.file, "utf8");
    const { project } = world;
    const registered = (): object[] => world.double.jobs().filter(({ name }) => name === "cut");
    /** Kills command and engine, as `kill -9` does; answers the stack file that they left. */
    const killed = async (verb: string, flags: readonly string[], moment: () => boolean): Promise<string> => {
      const { pid, ended } = project.start("teraslice", "register", jobFile, "--stack", "here", ...flags);
      let engines: readonly number[] = [];
      await until(`${verb} is where it is killed`, async () => {
        engines = await pidsOf(project, "pulumi", verb, "here");
        return engines.length > 0 && moment();
      });
      signalAll([...engines, pid], "SIGKILL");
      await ended;
      return readFileSync(world.file, "utf8");
    };
    assert.equal(await killed("preview", [], () => true), before, "while it shows what it would do");
    assert.equal(await killed("up", ["--yes"], () => true), before, "before it changes anything");
    assert.deepEqual(registered(), []);
    await project.must("pulumi", "cancel", "-s", "here", "--yes");
    // The update does not come to its end before it is killed: the master has the job, and is slow from then on.
    world.double.mishap = () => (registered().length > 0 ? { delayMs: 10_000 } : undefined);
    const left = await killed("up", ["--yes"], () => registered().length > 0);
    world.double.mishap = () => undefined;
    await project.must("pulumi", "cancel", "-s", "here", "--yes");
    await teraslice("register", jobFile, "--yes");
    assert.ok([before, readFileSync(world.file, "utf8")].includes(left), "while it changes the cluster");
    assert.equal(registered().length, 1);
    await settled();
    writeFileSync(world.file, before);
    await up();
    assert.deepEqual(registered(), []);
  });

  it("are registered from a file, started, scaled and stopped by commands that keep the stack file", async () => {
    // Programs of these tests run in the checkout, so a file of the project is identified by its whole path.
    const jobFile = path.join(world.jobsFolder, "my_job.json");
    writeFileSync(jobFile, JSON.stringify(smallJob("from-file").job));
    await teraslice("register", jobFile, "--yes");
    assert.match(readFileSync(world.file, "utf8"), /my-job/);
    assert.equal(statusOf("from-file"), undefined);
    await teraslice("start", "my-job", "--yes");
    assert.equal(statusOf("from-file"), "running");
    await teraslice("workers", "my-job", "total", "3", "--yes");
    assert.equal(await world.workers("from-file"), 3);
    assert.match(await teraslice("state", "my-job"), /my-job +running +\d\/3 /);
    await teraslice("stop", "my-job", "--yes");
    assert.equal(statusOf("from-file"), "stopped");
    const shown = await teraslice("show");
    assert.match(shown, /my-job +from-file +registered/);
    assert.match(shown, /kubectl -n \S+ port-forward/);
    assert.match(await teraslice("render", "my-job"), /kind: Deployment[^]*replicas: 3/);
    const { code, stderr } = await world.project.stackyard("teraslice", "start", "nobody", "--yes", "--stack", "here");
    assert.equal(code, 1);
    assert.match(stderr, /has no job nobody; it has one, two, three, my-job/);
  });

  it("are stopped and deleted before Teraslice when that is destroyed", async () => {
    await teraslice("destroy", "--yes");
    assert.deepEqual(world.double.jobs(), []);
    const { stderr } = await world.project.stackyard("teraslice", "show", "--stack", "here");
    assert.match(stderr, /no Teraslice runs on the platform here/);
  });
});

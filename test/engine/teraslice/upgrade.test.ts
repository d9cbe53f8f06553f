import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { addressOfMachine, giveAddress } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { smallJob, TerasliceWorld } from "./world";

/** Engine, provider and Kubernetes are real; a double answers for each pod of the master, as soon as that is there. */
describe("an upgrade of a Teraslice master with running jobs", function () {
  this.timeout(180_000);
  let world: TerasliceWorld;
  let follow: NodeJS.Timeout | undefined;
  /** Image of the newest pod of the master. */
  let runs = "";
  const jobs = {
    steady: smallJob("steady", { workers: 2 }),
    idle: smallJob("idle"),
    once: smallJob("once", { lifecycle: "once" }),
    off: { ...smallJob("off"), state: "registered" },
  };

  before(async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    world = await TerasliceWorld.make(await testYard(), address);
    const { client, namespace } = world;
    const given = new Set<string>();
    const label = "app.kubernetes.io/component=master";
    const look = async (): Promise<void> => {
      for (const { metadata, spec, status } of await client.list(
        { apiVersion: "v1", kind: "Pod", namespace },
        { label },
      )) {
        const { podIP } = (status ?? {}) as { podIP?: string };
        if (podIP === undefined || podIP === address || given.has(metadata.uid ?? "")) continue;
        given.add(metadata.uid ?? "");
        runs = (spec as { containers: { image: string }[] }).containers[0]?.image ?? "";
        await giveAddress(client, namespace, metadata.name, address);
      }
    };
    // What fails is tried again: the pod may be on its way out.
    follow = setInterval(() => void look().catch(() => given.clear()), 500);
    world.describeJobs(jobs);
    await world.pulumi("up", "--yes", "--skip-preview");
  });
  after(async () => {
    clearInterval(follow);
    await world?.remove();
  });

  const upgrade = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.project.stackyard("teraslice", "upgrade", ...args, "--stack", "here");
    return { code, text: stdout + stderr };
  };
  const image = async (): Promise<unknown> => {
    const { namespace } = world;
    const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace, name: "acme-master" };
    const spec = (await world.client.get(ref))?.["spec"] as { template: { spec: { containers: { image: string }[] } } };
    return spec.template.spec.containers[0]?.image;
  };
  const names = ["steady", "idle", "once", "off"];
  const statuses = () => names.map((name) => world.execution(name)?.["_status"]);
  const executions = () => names.map((name) => world.execution(name)?.["ex_id"]);

  it("is previewed without any change", async () => {
    const before = [readFileSync(world.file, "utf8"), executions()];
    const { code, text } = await upgrade("example/teraslice:2", "--preview");
    assert.equal(code, 0, text);
    assert.match(text, /acme: example\/teraslice:1 is replaced by example\/teraslice:2/);
    assert.match(text, /once +running +1 +stopped, recovered where it ended/);
    assert.doesNotMatch(text, /\boff +running/);
    assert.deepEqual([readFileSync(world.file, "utf8"), executions()], before);
  });

  it("stops the jobs, replaces the master, and restores the jobs' states", async () => {
    const [steady = "", idle = ""] = ["steady", "idle"].map((name) => String(world.job(name)["job_id"]));
    Object.assign(world.double.store.latest(idle) ?? {}, { _status: "paused" });
    const before = executions();
    const { code, text } = await upgrade("example/teraslice:2", "--yes");
    assert.equal(code, 0, text);
    assert.equal(await image(), "example/teraslice:2");
    assert.deepEqual(statuses(), ["running", "paused", "running", undefined]);
    assert.equal(world.execution("once")?.["recovered_execution"], before[2]);
    assert.notEqual(world.double.store.latest(steady)?.["ex_id"], before[0]);
    assert.match(readFileSync(world.file, "utf8"), /example\/teraslice:2/);
    const after = executions();
    await world.pulumi("preview", "--expect-no-changes", "--diff");
    assert.deepEqual(executions(), after, "the update of the rest restarts nothing");
  });

  it("rolls back if a job does not restart, and leaves the stack file unchanged", async () => {
    const id = String(world.job("steady")["job_id"]);
    const before = readFileSync(world.file, "utf8");
    world.double.mishap = (request) =>
      request === `POST /v1/jobs/${id}/_start` && runs === "example/teraslice:3"
        ? { status: 500, message: "an operation is not in this version" }
        : undefined;
    const { code, text } = await upgrade("example/teraslice:3", "--yes");
    assert.equal(code, 1, text);
    assert.match(
      text,
      /not all jobs started again with the new master\n {2}- steady: .*an operation is not in this version/,
    );
    assert.match(text, /The old master is restored\nAll jobs run as before/);
    assert.equal(await image(), "example/teraslice:2");
    assert.deepEqual(statuses(), ["running", "paused", "running", undefined]);
    assert.equal(readFileSync(world.file, "utf8"), before);
    // The restored state has an older generation than the record; the next update notes it in the guard.
    const changed = (await world.pulumi("preview", "--diff")).match(/^ +[~+-]+ stackyard:\S+/gm) ?? [];
    assert.deepEqual(
      changed.map((line) => line.trim()),
      ["~ stackyard:index:DataGuard:"],
    );
  });

  it("continues an interrupted upgrade, also back to the previous image", async () => {
    world.double.mishap = () => undefined;
    const before = executions();
    const jobs = ["steady", "once"].map((name, index) => ({
      jobId: String(world.job(name)["job_id"]),
      ...{ name, status: "running", persistent: index === 0, workers: 2 - index, assets: [] },
    }));
    // As a command leaves it that is killed when all jobs are stopped.
    const metadata = { namespace: world.namespace, name: "acme-master-upgrade" };
    await world.client.apply({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { jobs: JSON.stringify(jobs) } });
    for (const name of ["steady", "once"]) {
      const execution = world.execution(name);
      await world.double.pods?.drop(String(execution?.["ex_id"]), true);
      Object.assign(execution ?? {}, { _status: "stopped" });
    }
    const { code, text } = await upgrade("example/teraslice:2", "--yes");
    assert.equal(code, 0, text);
    assert.match(text, /continues an interrupted upgrade/);
    assert.deepEqual(statuses(), ["running", "paused", "running", undefined]);
    assert.equal(world.execution("once")?.["recovered_execution"], before[2]);
    assert.equal(await world.client.get({ apiVersion: "v1", kind: "ConfigMap", ...metadata }), undefined);
  });
});

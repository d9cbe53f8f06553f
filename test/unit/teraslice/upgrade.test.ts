import assert from "node:assert/strict";
import { Described } from "../../../cli/teraslice/entries";
import { changeImages, withRemembered } from "../../../cli/teraslice/upgrade/upgrade";
import { repeatedly, restoreJob, stopJob } from "../../../cli/teraslice/upgrade/jobs";
import { upgradeInOrder } from "../../../cli/teraslice/upgrade/order";
import { fateOf, lackingAssets, runningJobs, type RunningJob } from "../../../cli/teraslice/upgrade/running";
import { StackFile } from "../../../engine/stack/file";
import type { Client } from "../../../kubernetes/client/client";
import { ApiError } from "../../../kubernetes/client/apiError";
import { connect } from "../../../kubernetes/connect/connect";
import { Master } from "../../../provider/resources/terasliceJob/master/master";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { assetZip } from "../../doubles/teraslice/zip";

const IMAGE = (version: string): string => `ghcr.io/terascope/teraslice:v${version}-nodev24.18.0`;
const job = (name: string, more: Partial<RunningJob> = {}): RunningJob => ({
  jobId: name,
  name,
  status: "running",
  persistent: true,
  assets: [],
  ...more,
});

describe("the order of a Teraslice master upgrade", () => {
  const [one, two] = [job("one"), job("two")];

  /** Upgrades, with what fails; answers what was done in which order, and with what it ended. */
  async function upgraded(fails: Readonly<Record<string, number>> = {}, jobs = [one, two]) {
    const done: string[] = [];
    const left = { ...fails };
    const step = (what: string): Promise<void> => {
      done.push(what);
      const still = left[what] ?? 0;
      left[what] = still - 1;
      return still > 0 ? Promise.reject(new Error(`${what} is impossible`)) : Promise.resolve();
    };
    const { failure, down } = await upgradeInOrder(jobs, {
      stop: ({ name }) => step(`stop ${name}`),
      restore: ({ name }) => step(`back ${name}`),
      deployMaster: (which) => step(which),
      note: () => undefined,
    });
    return { done: done.join(", "), ended: failure?.message ?? "fine", down: down.map(({ name }) => name) };
  }

  it("stops all jobs, replaces the master and restores all jobs", async () => {
    assert.deepEqual(await upgraded(), {
      done: "stop one, stop two, new, back one, back two",
      ended: "fine",
      down: [],
    });
    assert.deepEqual(await upgraded({}, []), { done: "new", ended: "fine", down: [] });
  });

  it("leaves the master unchanged if a job does not stop", async () => {
    const { done, ended } = await upgraded({ "stop two": 1 });
    assert.equal(done, "stop one, stop two, back one, back two");
    assert.match(
      ended,
      /not all jobs could be stopped, so the master was left alone\n {2}- two: stop two is impossible/,
    );
    assert.match(ended, /All jobs run as before/);
  });

  it("rolls back if the new master does not start", async () => {
    const { done, ended } = await upgraded({ new: 1 });
    assert.equal(done, "stop one, stop two, new, old, back one, back two");
    assert.match(ended, /^new is impossible\nThe old master is restored\nAll jobs run as before$/);
  });

  it("rolls back if a job does not start with the new master", async () => {
    const { done, ended } = await upgraded({ "back two": 1 });
    assert.equal(done, "stop one, stop two, new, back one, back two, stop one, stop two, old, back one, back two");
    assert.match(
      ended,
      /not all jobs started again with the new master\n {2}- two: .*\nThe old master is restored\nAll jobs/,
    );
  });

  it("repeats a step after an odd answer, for a while, and not after a refusal", async () => {
    const tried = async (errors: readonly Error[], forMs = 60_000): Promise<string> => {
      let count = 0;
      const work = (): Promise<void> => {
        const error = errors[count++];
        return error ? Promise.reject(error) : Promise.resolve();
      };
      const end = await repeatedly(work, { forMs, pauseMs: 5 }).then(
        () => "fine",
        (error: Error) => error.message,
      );
      return `${end} after ${count}`;
    };
    const odd = new ApiError("resolve_deny: denied destination", 403, "");
    assert.equal(await tried([]), "fine after 1");
    assert.equal(await tried([odd, odd]), "fine after 3");
    assert.equal(await tried([odd, odd], 0), "resolve_deny: denied destination after 1");
    assert.equal(await tried([new ApiError("no such operation", 500, "")]), "no such operation after 1");
  });

  it("reports which jobs are down if the rollback fails too", async () => {
    const lost = await upgraded({ new: 1, old: 1 });
    assert.match(lost.ended, /could not be restored either: old is .*stopped: one, two\. The next upgrade/);
    assert.deepEqual(lost.down, ["one", "two"]);
    const { ended, down } = await upgraded({ new: 1, "back one": 1 });
    assert.match(
      ended,
      /The old master is restored\nThese jobs ran before, and do not now:\n {2}- one: back one is impossible\nThe next upgrade/,
    );
    assert.deepEqual(down, ["one"]);
  });

  it("includes jobs that ran before an interrupted upgrade", () => {
    const paused = job("one", { status: "paused", workers: 3 });
    assert.deepEqual(withRemembered([job("one"), two], [paused]), [paused, two]);
    assert.deepEqual(withRemembered([two, one], []), [one, two]);
  });
});

describe("the images of a Teraslice master upgrade", () => {
  const changed = (teraslice: string, to: string, jobsTo?: string) => {
    const file = StackFile.of(`config:\n  stackyard:teraslice: ${teraslice}\n`);
    const change = changeImages(Described.find(file, undefined), to, jobsTo);
    return { change, entry: file.config("stackyard:teraslice") };
  };

  it("include the image of the master and, if set, the image of jobs", () => {
    const { change, entry } = changed(`{ image: "${IMAGE("3.14.0")}", rbac: least }`, IMAGE("3.15.1"));
    assert.deepEqual(entry, { image: IMAGE("3.15.1"), rbac: "least" });
    assert.deepEqual(change.warnings, []);
    const both = `{ image: "${IMAGE("3.14.0")}", settings: { kubernetes_image: "${IMAGE("3.14.0")}", name: acme } }`;
    const settings = { kubernetes_image: IMAGE("3.15.1"), name: "acme" };
    assert.deepEqual(changed(both, IMAGE("3.15.1")).entry, { image: IMAGE("3.15.1"), settings });
    const only = `{ settings: { kubernetes_image: "${IMAGE("3.14.0")}", name: acme } }`;
    assert.deepEqual(changed(only, IMAGE("3.15.1")).entry, { settings });
  });

  it("require --jobs-image if jobs have another image than the master", () => {
    const other = `{ image: "${IMAGE("3.14.0")}", settings: { kubernetes_image: "example/own:1" } }`;
    assert.throws(
      () => changed(other, IMAGE("3.15.1")),
      /jobs have an image of their own, example\/own:1; .*--jobs-image/,
    );
    assert.deepEqual(changed(other, IMAGE("3.15.1"), "example/own:2").entry, {
      image: IMAGE("3.15.1"),
      settings: { kubernetes_image: "example/own:2" },
    });
  });

  it("are compared by version", () => {
    const warned = (from: string, to: string) => changed(`{ image: "${from}" }`, to).change.warnings.join();
    assert.match(warned(IMAGE("3.15.1"), IMAGE("3.14.0")), /3\.14\.0 is older than 3\.15\.1/);
    assert.match(warned(IMAGE("3.14.0"), IMAGE("4.0.0")), /4\.0\.0 is another major version than 3\.14\.0/);
    assert.match(warned("example/own:main", IMAGE("4.0.0")), /can't be compared/);
    assert.equal(warned("registry:5000/own:v3.14.0", `registry:5000/own:v3.14.1@sha256:${"0".repeat(64)}`), "");
    assert.throws(() => changed(`{ image: "${IMAGE("3.14.0")}" }`, IMAGE("3.14.0")), /has .* already/);
    assert.throws(() => changed("{}", IMAGE("3.14.0")), /names no image of the master/);
    const file = StackFile.of(`config:\n  stackyard:teraslice: { image: "${IMAGE("3.14.0")}" }\n`);
    const again = changeImages(Described.find(file, undefined), IMAGE("3.14.0"), undefined, true);
    assert.equal(again.to, again.from, "the way back from an upgrade that was cut off");
  });
});

describe("the jobs during a Teraslice master upgrade", function () {
  this.timeout(20_000);
  let double: TerasliceMaster;
  let master: Master;
  let client: Client;
  const signal = new AbortController().signal;

  beforeEach(async () => {
    double = new TerasliceMaster();
    const server = `http://127.0.0.1:${await double.listen()}`;
    const kubeconfig = JSON.stringify({
      ...{ apiVersion: "v1", kind: "Config", "current-context": "double" },
      clusters: [{ name: "double", cluster: { server } }],
      contexts: [{ name: "double", context: { cluster: "double", user: "" } }],
    });
    client = connect(kubeconfig, undefined, {});
    // Behind this address is a master and no Kubernetes: nothing of any job is there.
    client = Object.assign(Object.create(client) as Client, { list: () => Promise.resolve([]) });
    master = new Master(client, { namespace: "ts", name: "acme-master", port: 5678 }, signal);
  });
  afterEach(() => double.stop());

  const site = (name: string) => ({
    ...{ client, title: "", signal, deadline: Date.now() + 3_000, timeoutSeconds: 3, log: () => undefined },
    ...{ master, namespace: "ts", name },
  });
  const body = (name: string, more: object = {}) => ({
    ...{ name, lifecycle: "persistent", operations: [{ _op: "data_generator" }, { _op: "noop" }], ...more },
  });
  const running = () => runningJobs(master, { client, namespace: "ts" });

  it("are all running jobs of any owner, each with its planned restart", async () => {
    const ids = [];
    for (const [name, more] of Object.entries({ b: { lifecycle: "once" }, a: { kubernetes_image: "own:1" }, c: {} }))
      ids.push(await master.register(`owner-${name}`, body(name, more)));
    for (const id of ids.slice(0, 2)) await master.start(id);
    await master.command("pause", ids[1] ?? "", "_pause");
    const found = await running();
    assert.deepEqual(
      found.map(({ name, status }) => [name, status]),
      [
        ["a", "paused"],
        ["b", "running"],
      ],
    );
    assert.deepEqual(found.map(fateOf), [
      "stopped, started again and paused, with its own image own:1",
      "stopped, recovered where it ended",
    ]);
    assert.equal(fateOf(job("x", { status: "stopping" })), "ends, because it is being stopped");
  });

  it("are restored as started, paused or, if they run once, recovered", async () => {
    const persistent = await master.register("a", body("a"));
    const once = await master.register("b", body("b", { lifecycle: "once" }));
    for (const id of [persistent, once]) await master.start(id);
    await master.command("pause", persistent, "_pause");
    const before = await running();
    const oldExecution = double.store.latest(once)?.["ex_id"];
    for (const one of before) await stopJob(site(one.name), one);
    assert.deepEqual(await running(), []);
    for (const one of before) await restoreJob(site(one.name), one);
    assert.deepEqual(
      (await running()).map(({ name, status }) => [name, status]),
      [
        ["a", "paused"],
        ["b", "running"],
      ],
    );
    assert.equal(double.store.latest(once)?.["recovered_execution"], oldExecution);
    // Restored twice, after an update that was cut off, they are left alone.
    const now = double.store.latest(once)?.["ex_id"];
    for (const one of before) await restoreJob(site(one.name), one);
    assert.equal(double.store.latest(once)?.["ex_id"], now);
  });

  it("keep the number of workers to which they were scaled", async () => {
    const id = await master.register("a", body("a", { workers: 1 }));
    await master.start(id);
    const deployment = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { replicas: 3 } };
    const list = ({ kind }: { kind: string }) => Promise.resolve(kind === "Deployment" ? [deployment] : []);
    Object.assign(client, { list });
    const [one] = await running();
    assert.equal(one?.workers, 3);
    const scaled = () => double.requests.filter((request) => request.endsWith("/_workers")).length;
    await restoreJob(site("a"), one);
    assert.equal(scaled(), 0);
    deployment.spec.replicas = 1;
    await restoreJob(site("a"), one);
    assert.equal(scaled(), 1);
  });

  it("stay ended if they ended or were stopping by themselves", async () => {
    const id = await master.register("a", body("a", { lifecycle: "once" }));
    await master.start(id);
    const [one] = await running();
    assert.ok(one);
    Object.assign(double.store.latest(id) ?? {}, { _status: "completed" });
    await restoreJob(site("a"), one);
    assert.equal(double.store.latest(id)?.["_status"], "completed");
    Object.assign(double.store.latest(id) ?? {}, { _status: "stopped" });
    await restoreJob(site("a"), { ...one, status: "stopping" });
    assert.equal(double.store.latest(id)?.["_status"], "stopped");
  });

  it("must have assets for the Node version of the new image", async () => {
    await double.store.assets.save(await assetZip("standard", "1.0.0", "", { node_version: 24 }));
    const jobs = [job("a", { assets: ["standard"] })];
    assert.deepEqual(await lackingAssets(jobs, IMAGE("3.15.1"), master), []);
    const [line, ...others] = await lackingAssets(jobs, "ghcr.io/terascope/teraslice:v3.15.1-nodev22.1.0", master);
    assert.match(line ?? "", /^job a has no asset standard under it: what it has is made for another version of Node/);
    assert.deepEqual(others, []);
  });
});

import assert from "node:assert/strict";
import { assetsInUse, choose } from "../../../cli/teraslice/assets";
import { awaitStatus, exported, recoverJob, type Reached } from "../../../cli/teraslice/reached";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { Asset } from "../../../provider/resources/terasliceJob/master/assets";
import { Master } from "../../../provider/resources/terasliceJob/master/master";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { assetZip } from "../../doubles/teraslice/zip";

const JOB = { name: "events", lifecycle: "persistent", operations: [{ _op: "data_generator" }, { _op: "noop" }] };

describe("commands to a Teraslice job", function () {
  this.timeout(20_000);
  let double: TerasliceMaster;
  let reached: Reached;
  let id: string;
  /** Jobs of Kubernetes, until the master has stopped the execution. */
  let controllers: readonly object[];

  beforeEach(async () => {
    double = new TerasliceMaster();
    const server = `http://127.0.0.1:${await double.listen()}`;
    const kubeconfig = JSON.stringify({
      ...{ apiVersion: "v1", kind: "Config", "current-context": "double" },
      clusters: [{ name: "double", cluster: { server } }],
      contexts: [{ name: "double", context: { cluster: "double", user: "" } }],
    });
    const client = connect(kubeconfig, undefined, {});
    const signal = new AbortController().signal;
    const master = new Master(client, { namespace: "ts", name: "acme-master", port: 5678 }, signal);
    id = await master.register("dev-events", JOB);
    const deadline = Date.now() + 1_500;
    const log = () => undefined;
    const isOver = () => double.store.latest(id)?.["_status"] === "stopped";
    const list = ({ kind }: { kind: string }) => Promise.resolve(kind === "Job" && !isOver() ? controllers : []);
    controllers = [];
    const site = {
      client: { list } as unknown as Client,
      title: "",
      signal,
      deadline,
      timeoutSeconds: 1,
      log,
      master,
      namespace: "ts",
      name: "events",
    };
    reached = { site, job: { key: "events", jobId: id, job: JOB, state: "running" } };
  });
  afterEach(() => double.stop());

  const end = (_status: string, _failureReason = ""): void =>
    void Object.assign(double.store.latest(id) ?? {}, { _status, _failureReason });

  it("pause and resume a running job", async () => {
    await reached.site.master.start(id);
    await reached.site.master.command("pause", id, "_pause");
    assert.equal(double.store.latest(id)?.["_status"], "paused");
    await reached.site.master.command("resume", id, "_resume");
    assert.equal(double.store.latest(id)?.["_status"], "running");
    end("completed");
    await assert.rejects(reached.site.master.command("pause", id, "_pause"), /no active execution/);
  });

  it("wait for the requested status, and fail after another status or a timeout", async () => {
    await reached.site.master.start(id);
    await assert.rejects(awaitStatus(reached, ["completed"]), /events is still running after 1 seconds, .* completed/);
    assert.equal((await awaitStatus(reached, ["running"]))["_status"], "running");
    end("failed", "no space left");
    await assert.rejects(awaitStatus(reached, ["completed", "stopped"]), /events is failed, .*: no space left$/);
  });

  it("report why the job ended, without the master's stack trace", async () => {
    await reached.site.master.start(id);
    const why = "TSError: Failed to provision execution 1, caused by Error: no quota";
    const trace =
      "\n    at allocator (file:///app/execution.js:360:23)\nCaused by: Error: no quota\n    at make (file:///app/k8s.js:1:1)";
    end("failed", why + trace);
    await assert.rejects(awaitStatus(reached, ["completed"]), new RegExp(`: ${why}$`));
  });

  it("do not recover a job that runs or never ran", async () => {
    await assert.rejects(recoverJob(reached, undefined), /never ran/);
    await assert.rejects(recoverJob(reached, "some"), /cleanup: found "some"; expected all, errors, pending/);
    await reached.site.master.start(id);
    await assert.rejects(recoverJob(reached, "errors"), /events is running; stop it before/);
    end("stopped");
    await reached.site.master.command("recover", id, "_recover?cleanup_type=errors");
    assert.equal(double.store.latest(id)?.["recovered_slice_type"], "errors");
  });

  it("recover a job whose execution controller has ended, which a master calls running", async () => {
    await reached.site.master.start(id);
    const status = { conditions: [{ type: "Complete", status: "True" }] };
    controllers = [{ apiVersion: "batch/v1", kind: "Job", metadata: { name: "ts-exc-events", uid: "1" }, status }];
    const lost = { ...reached, site: { ...reached.site, deadline: Date.now() + 10_000 } };
    await assert.rejects(
      awaitStatus(lost, ["completed"]),
      /events is running, expected completed: its execution controller has ended; go on with stackyard teraslice recover events/,
    );
    const first = double.store.latest(id)?.["ex_id"];
    await recoverJob(lost, undefined);
    assert.equal(double.store.latest(id)?.["recovered_execution"], first);
  });

  it("read errors and statistics", async () => {
    await reached.site.master.start(id);
    const exId = String(double.store.latest(id)?.["ex_id"]);
    double.errors.set(exId, [{ slice_id: "1", error: "wrong" }]);
    assert.deepEqual(await reached.site.master.read("errors", `/v1/jobs/${id}/errors`), [
      { slice_id: "1", error: "wrong" },
    ]);
    const [one] = (await reached.site.master.read("statistics", "/v1/cluster/controllers")) as { ex_id: string }[];
    assert.equal(one?.ex_id, exId);
  });

  it("export a job as it was written, without additions of the master and the platform", () => {
    const added = { imagePullSecrets: [{ name: "one" }] };
    const labels = { stackyard: "dev-events", team: "data" };
    const stored = { ...JOB, labels, pod_spec_override: added, job_id: "1", _created: "now", _context: "job" };
    assert.deepEqual(exported(stored, added), { ...JOB, labels: { team: "data" } });
    assert.deepEqual(exported({ ...JOB, labels: { stackyard: "dev-events" } }, undefined), JOB);
    assert.deepEqual(exported(stored, { volumes: [] })["pod_spec_override"], added);
  });

  it("list the assets in use", async () => {
    const { id: asset } = await double.store.assets.save(await assetZip("standard", "1.0.0"));
    const { master } = reached.site;
    await master.change(id, { ...JOB, assets: ["standard"] }, {});
    assert.equal((await assetsInUse(master)).size, 0);
    await master.start(id);
    assert.deepEqual([...(await assetsInUse(master))], [asset]);
    await master.stop(id);
    assert.equal((await assetsInUse(master)).size, 0);
  });
});

describe("removed assets", () => {
  const asset = (version: string, more: Partial<Asset> = {}): Asset => ({
    id: version,
    name: "standard",
    version,
    ...more,
  });
  const all = [asset("1.0.0"), asset("1.10.0"), asset("1.9.0"), asset("3", { name: "other" })];
  const versions = (list: readonly Asset[]): string[] => list.map(({ version }) => version);

  it("match a name, a version or an id, except the newest assets and assets in use", () => {
    assert.deepEqual(versions(choose(all, "standard", 0, new Set()).remove), ["1.10.0", "1.9.0", "1.0.0"]);
    assert.deepEqual(versions(choose(all, "standard", 1, new Set()).remove), ["1.9.0", "1.0.0"]);
    assert.deepEqual(versions(choose(all, "standard:1.9.0", 0, new Set()).remove), ["1.9.0"]);
    const { remove, used } = choose(all, "standard", 1, new Set(["1.0.0"]));
    assert.deepEqual([versions(remove), versions(used)], [["1.9.0"], ["1.0.0"]]);
    assert.throws(() => choose(all, "absent", 0, new Set()), /no asset absent; it has standard, other/);
  });

  it("do not include the newest asset for each version of Node", () => {
    const nodes = [asset("1.0.0", { nodeVersion: 22 }), asset("2.0.0", { nodeVersion: 24 })];
    assert.deepEqual(versions(choose(nodes, "standard", 1, new Set()).remove), []);
  });
});

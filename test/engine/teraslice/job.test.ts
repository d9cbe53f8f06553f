import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { IncompleteError, type Context } from "../../../foundation/pulumi/resource";
import { textAt } from "../../../kubernetes/objects/objects";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import type { JobInputs, JobState } from "../../../provider/resources/terasliceJob/inputs";
import { terasliceJob } from "../../../provider/resources/terasliceJob/terasliceJob";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { Pods } from "../../doubles/teraslice/pods";
import { assetZip } from "../../doubles/teraslice/zip";
import { addressOfMachine, behindService } from "../runtime/behindService";
import { testYard } from "../runtime/yard";
import { contextOf } from "../../unit/provider/context";

interface Both {
  readonly inputs: JobInputs;
  readonly state: JobState;
}

/** The master is a double; the API server by which it is reached, and the pods of jobs, are real. */
describe("a Teraslice job", function () {
  this.timeout(60_000);
  const namespace = `jobs-${randomBytes(3).toString("hex")}`;
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-teraslice-"));
  let kubeconfig: string;
  let client: Client;
  let double: TerasliceMaster;
  let lines: string[] = [];

  before(async function () {
    const address = addressOfMachine();
    if (address === undefined) return this.skip();
    kubeconfig = readFileSync((await testYard()).kubeconfig, "utf8");
    client = connect(kubeconfig, undefined, {});
    await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    double = new TerasliceMaster();
    double.pods = new Pods(client, namespace);
    const port = await double.listen(0, address);
    await behindService(client, { namespace, name: "acme-master", port: 5678 }, address, port);
  });
  after(async () => {
    await client?.remove({ apiVersion: "v1", kind: "Namespace", name: namespace });
    await double?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    lines = [];
    double.mishap = () => undefined;
  });

  const context = (more: Partial<Context> = {}): Context =>
    contextOf((line) => lines.push(line), { urn: "urn", ...more });
  const inputsOf = async (name: string, job: object = {}, more: object = {}): Promise<JobInputs> => {
    const owner = `dev-${name}`;
    const operations = [{ _op: "data_generator" }, { _op: "noop" }];
    const { inputs, failures } = await terasliceJob.check(context(), {
      kubeconfig,
      cluster: "https://yard",
      namespace,
      service: "acme-master",
      owner,
      job: { name, lifecycle: "persistent", workers: 2, operations, labels: { stackyard: owner }, ...job },
      timeoutSeconds: 30,
      ...more,
    });
    assert.deepEqual(failures, []);
    return inputs as unknown as JobInputs;
  };
  const create = async (inputs: JobInputs): Promise<Both> => ({
    inputs,
    state: (await terasliceJob.create(context(), inputs)).state,
  });
  const update = async (old: Both, inputs: JobInputs): Promise<Both> => ({
    inputs,
    state: await terasliceJob.update(context(), "", old, inputs),
  });
  const read = (old: Both) => terasliceJob.read(context(), "", old);
  const destroy = (old: Both) => terasliceJob.delete(context(), "", old);
  const execution = ({ state }: Both) => double.store.latest(state.jobId);
  const replicas = async ({ state }: Both): Promise<unknown> => {
    const label = `teraslice.terascope.io/jobId=${state.jobId}`;
    const [deployment] = await client.list({ apiVersion: "apps/v1", kind: "Deployment", namespace }, { label });
    return (deployment?.["spec"] as { replicas?: number } | undefined)?.replicas;
  };

  it("is registered and started, and runs with its workers", async () => {
    const job = await create(await inputsOf("first"));
    assert.equal(execution(job)?.["_status"], "running");
    assert.equal(await replicas(job), 2);
    assert.ok(lines.some((line) => line === "status: registers") && lines.includes("status: starts"), lines.join("\n"));
    await destroy(job);
  });

  it("is previewed and refreshed by a user who may not ask the master", async () => {
    const job = await create(await inputsOf("seen"));
    const stored = structuredClone(double.store.job(job.state.jobId));
    const account = { apiVersion: "v1", kind: "ServiceAccount", namespace, name: "default" };
    const issued = await client.issue(account, "token", {
      ...{ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } },
    });
    const users = [{ name: "yard", user: { token: textAt(issued, "status", "token") } }];
    const as = { kubeconfig: JSON.stringify({ ...(parse(kubeconfig) as object), users }) };
    const preview = context({ preview: true });
    await terasliceJob.update(preview, "", job, { ...(await inputsOf("seen", { workers: 3 })), ...as });
    await terasliceJob.create(preview, { ...(await inputsOf("other")), ...as });
    const refreshed = { ...job, inputs: { ...job.inputs, ...as } };
    assert.deepEqual(await read(refreshed), refreshed);
    assert.match(lines.join("\n"), /unknown to this user, who may not get services\/proxy/);
    assert.deepEqual(double.store.job(job.state.jobId), stored);
    await destroy(job);
  });

  it("is stopped, removed from Kubernetes and deleted at the master, also repeatedly", async () => {
    const job = await create(await inputsOf("gone"));
    await destroy(job);
    assert.equal(await replicas(job), undefined);
    assert.equal(double.store.job(job.state.jobId)["_deleted"], true);
    await destroy(job);
    assert.equal(await read(job), undefined);
  });

  it("is only registered when requested, and stopped if it runs", async () => {
    const registered = await create(await inputsOf("quiet", {}, { state: "registered" }));
    assert.equal(execution(registered), undefined);
    const running = await update(registered, await inputsOf("quiet"));
    assert.equal(execution(running)?.["_status"], "running");
    const quiet = await update(running, await inputsOf("quiet", {}, { state: "registered" }));
    assert.equal(execution(quiet)?.["_status"], "stopped");
    assert.equal(await replicas(quiet), undefined);
    await destroy(quiet);
  });

  it("of another stack with the same label is not changed, stopped or deleted", async () => {
    const [here, there] = ["here", "there"].map((stack) => context({ urn: `urn:pulumi:${stack}::platform::job::a` }));
    const inputs = await inputsOf("owned");
    const job = { inputs, state: (await terasliceJob.create(here!, inputs)).state };
    const stored = structuredClone(double.store.job(job.state.jobId));
    const changed = await inputsOf("owned", { workers: 3 });
    const refused = /job owned \(\S+\) belongs to stack platform-here-\w+ in .* \(generation 1\)\. Nothing was changed/;
    await assert.rejects(terasliceJob.create({ ...there!, preview: true }, changed), refused);
    await assert.rejects(terasliceJob.create(there!, changed), refused);
    const copy = { inputs, state: { ...job.state, generation: undefined } };
    await assert.rejects(terasliceJob.update(there!, "", copy, changed), refused);
    assert.deepEqual(await terasliceJob.read(there!, "", copy), copy);
    await terasliceJob.delete(there!, "", copy);
    assert.match(lines.join("\n"), /left job owned \(\S+\) alone: it belongs to stack platform-here/);
    assert.deepEqual(double.store.job(job.state.jobId), stored);
    assert.equal(execution(job)?.["_status"], "running");
    // A creation that was killed is continued, and a state that moved goes on.
    assert.equal((await terasliceJob.create(here!, inputs)).state.jobId, job.state.jobId);
    const moved = { inputs: changed, state: await terasliceJob.update(there!, "", job, changed) };
    assert.equal(moved.state.generation, 2);
    await assert.rejects(terasliceJob.update({ ...here! }, "", job, inputs), /belongs to stack platform-there/);
    await terasliceJob.delete(there!, "", moved);
    assert.equal(double.store.job(job.state.jobId)["_deleted"], true);
  });

  it("scales in place and keeps the number for the next start", async () => {
    const job = await create(await inputsOf("scaled"));
    const before = execution(job)?.["ex_id"];
    const scaled = await update(job, await inputsOf("scaled", { workers: 4 }));
    assert.equal(await replicas(scaled), 4);
    assert.equal(execution(scaled)?.["ex_id"], before);
    assert.equal(double.store.job(job.state.jobId)["workers"], 4);
    const fewer = await update(scaled, await inputsOf("scaled", { workers: 1 }));
    assert.equal(await replicas(fewer), 1);
    assert.equal(execution(fewer)?.["ex_id"], before);
    await destroy(fewer);
  });

  it("is updated and restarted when needed, under the same id", async () => {
    const job = await create(await inputsOf("changed", { max_retries: 1 }));
    const before = execution(job)?.["ex_id"];
    const changed = await update(job, await inputsOf("changed"));
    assert.equal(changed.state.jobId, job.state.jobId);
    assert.equal("max_retries" in double.store.job(job.state.jobId), false);
    assert.notEqual(execution(changed)?.["ex_id"], before);
    assert.equal(execution(changed)?.["_status"], "running");
    await destroy(changed);
  });

  it("is rejected by the master before the running job is touched", async () => {
    const job = await create(await inputsOf("refused"));
    await assert.rejects(
      update(job, await inputsOf("refused", { lifecycle: "sometimes" })),
      /lifecycle: Invalid option: expected one of "once"\|"persistent"/,
    );
    assert.equal(execution(job)?.["_status"], "running");
    await destroy(job);
  });

  it("reports why it does not run and continues on the next update", async () => {
    const wrong = await inputsOf("stuck", { kubernetes_image: "example/teraslice:missing" }, { timeoutSeconds: 5 });
    const failure = await create(wrong).catch((error: unknown) => error);
    assert.ok(failure instanceof IncompleteError, String(failure));
    assert.match(failure.message, /job stuck (cannot run|is still initializing after 5 seconds): .*ImagePullBackOff/);
    const job = await update({ inputs: wrong, state: failure.state as JobState }, await inputsOf("stuck"));
    assert.equal(execution(job)?.["_status"], "running");
    await destroy(job);
  });

  it("is taken over from an earlier attempt that ended after the registration", async () => {
    const inputs = await inputsOf("cut");
    let started = false;
    double.mishap = (request) =>
      /_start$/.test(request) || started ? ((started = true), { cut: "before" }) : undefined;
    const cancelled = new AbortController();
    setTimeout(() => cancelled.abort(), 2_000);
    await assert.rejects(terasliceJob.create(context({ signal: cancelled.signal }), inputs));
    double.mishap = () => undefined;
    const job = await create(inputs);
    assert.equal(double.jobs().filter(({ name }) => name === "cut").length, 1);
    assert.equal(execution(job)?.["_status"], "running");
    await destroy(job);
  });

  it("waits for leftovers of an earlier execution", async () => {
    const job = await create(await inputsOf("left", {}, { state: "registered" }));
    const name = `ts-exc-${job.state.jobId.slice(0, 13)}`;
    const labels = { "teraslice.terascope.io/jobId": job.state.jobId };
    const service = { apiVersion: "v1", kind: "Service", namespace, name };
    const metadata = { namespace, name, labels };
    await client.apply({ apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 1 }] } });
    const starting = update(job, await inputsOf("left"));
    await sleep(1_000);
    assert.equal(execution(job), undefined);
    await client.remove(service);
    assert.equal(execution(await starting)?.["_status"], "running");
    assert.ok(
      lines.some((line) => /waits for 1 objects of the last execution to go: Service ts-exc/.test(line)),
      lines.join("\n"),
    );
    await destroy(job);
  });

  it("shows external changes on a refresh", async () => {
    const job = await create(await inputsOf("drifted"));
    assert.deepEqual((await read(job))?.inputs, job.inputs);
    await double.pods?.scale(String(execution(job)?.["ex_id"]), 5);
    double.store.change(job.state.jobId, { ...job.inputs.job, max_retries: 9 });
    const drift = await read(job);
    assert.equal(drift?.inputs.job["workers"], 5);
    assert.equal(drift?.inputs.job["max_retries"], 9);
    assert.ok(drift);
    const fixed = await update(drift, job.inputs);
    assert.equal(await replicas(fixed), 2);
    assert.equal("max_retries" in double.store.job(job.state.jobId), false);
    await double.pods?.drop(String(execution(job)?.["ex_id"]));
    Object.assign(execution(job) ?? {}, { _status: "failed" });
    assert.equal((await read(fixed))?.inputs.state, "registered");
    await destroy(fixed);
  });

  it("is registered again after it was deleted at the master", async () => {
    const job = await create(await inputsOf("deleted", {}, { state: "registered" }));
    double.store.remove(job.state.jobId);
    assert.equal(await read(job), undefined);
    const again = await update(job, await inputsOf("deleted", { workers: 3 }));
    assert.notEqual(again.state.jobId, job.state.jobId);
    assert.equal(execution(again)?.["_status"], "running");
    await destroy(again);
  });

  it("is created exactly once even if the master fails or is slow", async () => {
    const seen = new Set<string>();
    // Each kind of request goes wrong the first time, one way or the other.
    double.mishap = (request) => {
      const kind = request.replace(/[0-9a-f-]{36}/, "ID");
      if (seen.has(kind)) return undefined;
      seen.add(kind);
      return [{ status: 503 }, { cut: "after" as const }, { delayMs: 200 }, { status: 502 }][seen.size % 4];
    };
    const job = await create(await inputsOf("shaken"));
    assert.equal(double.jobs().filter(({ name }) => name === "shaken").length, 1);
    assert.equal([...double.store.executions.values()].filter(({ job_id }) => job_id === job.state.jobId).length, 1);
    seen.clear();
    await destroy(job);
    assert.equal(double.store.job(job.state.jobId)["_deleted"], true);
  });

  it("uploads its assets once per content", async () => {
    const file = path.join(folder, "asset.zip");
    const zip = await assetZip("handed-over", "1.0.0");
    writeFileSync(file, zip);
    const assets = [{ path: file, sha256: createHash("sha256").update(zip).digest("hex") }];
    const job = await create(await inputsOf("assets", {}, { assets, state: "registered" }));
    assert.equal(double.store.assets.stored.size, 1);
    const uploads = () => double.requests.filter((request) => request === "POST /v1/assets").length;
    const before = uploads();
    await update(job, await inputsOf("assets", { workers: 3 }, { assets, state: "registered" }));
    assert.equal(uploads(), before);
    const wrong = await inputsOf("assets", {}, { assets: [{ path: file, sha256: "0".repeat(64) }] });
    await assert.rejects(update(job, wrong), /changed since the preview/);
    await destroy(job);
  });

  it("restarts with a new version of its own asset and ignores new versions of others", async () => {
    const file = path.join(folder, "own.zip");
    const version = async (number: string): Promise<object> => {
      const zip = await assetZip("own", number);
      writeFileSync(file, zip);
      return { assets: [{ path: file, sha256: createHash("sha256").update(zip).digest("hex") }] };
    };
    const used = { assets: ["own", "standard"] };
    await double.store.assets.save(await assetZip("standard", "1.0.0"));
    const first = await create(await inputsOf("versions", used, await version("1.0.0")));
    const before = execution(first);
    const second = await update(first, await inputsOf("versions", used, await version("1.0.1")));
    assert.notEqual(execution(second)?.["ex_id"], before?.["ex_id"]);
    assert.notDeepEqual(execution(second)?.["assets"], before?.["assets"]);
    const now = execution(second)?.["ex_id"];
    await double.store.assets.save(await assetZip("standard", "1.0.1"));
    const third = await update(second, await inputsOf("versions", { ...used, workers: 3 }, await version("1.0.1")));
    assert.equal(execution(third)?.["ex_id"], now, "what others hand over waits for the next start");
    // A bundle that the job does not take, since it names another version.
    const pinned = { assets: ["own:1.0.1", "standard"], workers: 3 };
    const fourth = await update(third, await inputsOf("versions", pinned, await version("1.0.1")));
    const fifth = await update(fourth, await inputsOf("versions", pinned, await version("1.0.2")));
    assert.equal(execution(fifth)?.["ex_id"], execution(fourth)?.["ex_id"]);
    await destroy(fifth);
  });

  it("restarts with a new asset even if the first attempt ended between upload and restart", async () => {
    const file = path.join(folder, "cut.zip");
    const version = async (number: string): Promise<object> => {
      const zip = await assetZip("cut", number);
      writeFileSync(file, zip);
      return { assets: [{ path: file, sha256: createHash("sha256").update(zip).digest("hex") }] };
    };
    const job = await create(await inputsOf("cut-asset", { assets: ["cut"] }, await version("1.0.0")));
    const before = execution(job)?.["ex_id"];
    const wanted = await inputsOf("cut-asset", { assets: ["cut"] }, await version("1.0.1"));
    double.mishap = (request) => (/_stop$/.test(request) ? { status: 400 } : undefined);
    const failure = await update(job, wanted).catch((error: unknown) => error);
    assert.ok(failure instanceof IncompleteError, String(failure));
    double.mishap = () => undefined;
    const again = await update({ inputs: wanted, state: failure.state as JobState }, wanted);
    assert.notEqual(execution(again)?.["ex_id"], before);
    await destroy(again);
  });

  it("scales before the slow update of the master's store", async () => {
    const job = await create(await inputsOf("quick"));
    double.requests.length = 0;
    const scaled = await update(job, await inputsOf("quick", { workers: 3 }));
    const written = double.requests.filter((request) => /^PUT|_workers$/.test(request));
    assert.deepEqual(
      written.map((request) => request.replace(/[0-9a-f-]{36}/, "ID")),
      ["POST /v1/jobs/ID/_workers", "PUT /v1/jobs/ID"],
    );
    assert.equal(await replicas(scaled), 3);
    await destroy(scaled);
  });

  it("is stopped and restarted if its controller ended and its workers remained", async () => {
    const job = await create(await inputsOf("orphan"));
    double.abandon(job.state.jobId);
    assert.equal((await read(job))?.inputs.state, "registered");
    const running = await update(job, await inputsOf("orphan"));
    assert.equal(execution(running)?.["_status"], "running");
    assert.equal(double.requests.filter((request) => /\/ex\/.*_stop$/.test(request)).length > 0, true);
    double.abandon(job.state.jobId);
    const wanted = await inputsOf("orphan", {}, { state: "registered" });
    assert.equal((await read({ ...running, inputs: wanted }))?.inputs.state, "running", "workers go on");
    const quiet = await update(running, wanted);
    assert.equal(await replicas(quiet), undefined);
    await destroy(quiet);
  });

  it("is deleted even if its controller ended and the master leaves its workers running", async () => {
    const job = await create(await inputsOf("stubborn"));
    double.abandon(job.state.jobId);
    double.mishap = (request) => (/_stop$/.test(request) ? { status: 404, message: "not found" } : undefined);
    await destroy(job);
    assert.equal(await replicas(job), undefined);
    assert.equal(double.store.job(job.state.jobId)["_deleted"], true);
  });

  it("is deleted from Kubernetes while its master is down, and reports what stays", async () => {
    const job = await create(await inputsOf("bereft"));
    const name = "dead-master";
    const spec = { selector: { app: "nobody" }, ports: [{ name: "http", port: 5678 }] };
    await client.apply({ apiVersion: "v1", kind: "Service", metadata: { namespace, name }, spec });
    await destroy({ ...job, inputs: { ...job.inputs, service: name, timeoutSeconds: 4 } });
    assert.equal(await replicas(job), undefined);
    assert.match(
      lines.join("\n"),
      /warning: no pod of the master is ready, so the job bereft \([0-9a-f-]+\) stays in its store; nothing of it runs/,
    );
    await destroy(job);
  });

  it("is deleted from Kubernetes when the master has lost its stores", async () => {
    const job = await create(await inputsOf("storeless"));
    double.mishap = () => ({ status: 500, message: "No Living connections" });
    await destroy({ ...job, inputs: { ...job.inputs, timeoutSeconds: 4 } });
    assert.equal(await replicas(job), undefined);
    assert.match(
      lines.join("\n"),
      /warning: the master can do nothing \(.*No Living connections\), so the job storeless/,
    );
    double.mishap = () => undefined;
    await destroy(job);
  });

  it("is not registered if a dry run shows that Kubernetes rejects its objects", async () => {
    const volume = { name: "data", emptyDir: {}, persistentVolumeClaim: { claimName: "data" } };
    const worker = (spec: object) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "w", namespace },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "w", image: "example:1" }], ...spec },
        },
      },
    });
    const wrong = await inputsOf("invalid", {}, { footprint: JSON.stringify(worker({ volumes: [volume] })) });
    await assert.rejects(
      create(wrong),
      /job invalid can't run: .*Kubernetes refuses Deployment w: .*may not specify more than 1 volume type.*Nothing was registered/,
    );
    const misspelt = await inputsOf("invalid", {}, { footprint: JSON.stringify(worker({ nodeselector: { a: "b" } })) });
    await terasliceJob.create(context({ preview: true }), misspelt);
    assert.match(
      lines.join("\n"),
      /warning: job invalid: Kubernetes refuses .*unknown field "spec.template.spec.nodeselector"/,
    );
  });

  it("is not registered without its assets, which a preview reports", async () => {
    await double.store.assets.save(await assetZip("too-new", "1.0.0", "", { node_version: 99 }));
    const inputs = await inputsOf("lacking", { assets: ["absent:1.0.0", "too-new"] });
    await assert.rejects(
      create(inputs),
      /job lacking: the master has no asset absent:1\.0\.0; it has .*; the master has no asset too-new; what it has is made for another version of Node.*\. Nothing was registered/,
    );
    assert.ok(!double.jobs().some(({ name }) => name === "lacking"));
    await terasliceJob.create(context({ preview: true }), inputs);
    assert.match(lines.join("\n"), /warning: job lacking: the master has no asset absent:1\.0\.0/);
    lines = [];
    const file = path.join(folder, "coming.zip");
    const zip = await assetZip("absent", "1.0.0");
    writeFileSync(file, zip);
    const assets = [{ path: file, sha256: createHash("sha256").update(zip).digest("hex") }];
    await terasliceJob.create(
      context({ preview: true }),
      await inputsOf("lacking", { assets: ["absent:^1.0.0"] }, { assets }),
    );
    assert.doesNotMatch(lines.join("\n"), /has no asset/);
  });

  it("is not registered if it can never run, which a preview reports", async () => {
    const labels = { app: "w" };
    const pod = { containers: [{ name: "w", image: "example:1" }], nodeSelector: { zone: "nowhere" } };
    const worker = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "w", namespace },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    };
    const inputs = await inputsOf("nowhere", {}, { footprint: JSON.stringify(worker) });
    await assert.rejects(
      create(inputs),
      /job nowhere can't run: no node has what a worker requires: zone=nowhere\. Nothing was registered/,
    );
    assert.ok(!double.jobs().some(({ name }) => name === "nowhere"));
    await terasliceJob.create(context({ preview: true }), inputs);
    assert.match(lines.join("\n"), /warning: job nowhere can't run/);
  });

  it("reports what to check if the master does not answer", async () => {
    const absent = await inputsOf("absent", {}, { service: "no-master" });
    await assert.rejects(create({ ...absent, timeoutSeconds: 5 }), /there is no service jobs-\w+\/no-master/);
  });

  it("leaves nothing behind", async () => {
    assert.deepEqual(
      double.jobs().map(({ name }) => name),
      [],
    );
    for (const kind of ["Deployment", "ReplicaSet"]) {
      assert.deepEqual(await client.list({ apiVersion: "apps/v1", kind, namespace }), []);
    }
  });
});

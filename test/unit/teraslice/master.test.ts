import assert from "node:assert/strict";
import { connect } from "../../../kubernetes/connect/connect";
import type { Client } from "../../../kubernetes/client/client";
import { assetOf } from "../../../provider/resources/terasliceJob/master/assets";
import { Master } from "../../../provider/resources/terasliceJob/master/master";
import { TerasliceMaster, type Mishap } from "../../doubles/teraslice/master";
import { assetZip } from "../../doubles/teraslice/zip";

/** A kubeconfig whose API server is the double: it takes what a proxy to a service would hand on. */
const kubeconfigOf = (port: number): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "double",
    clusters: [{ name: "double", cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: "double", context: { cluster: "double", user: "" } }],
  });

const JOB = {
  name: "example",
  lifecycle: "persistent",
  workers: 2,
  labels: { stackyard: "dev-example" },
  operations: [{ _op: "data_generator" }, { _op: "noop" }],
};

describe("a Teraslice master", function () {
  this.timeout(20_000);
  const service = { namespace: "ts", name: "acme-master", port: 5678 };
  let double: TerasliceMaster;
  let client: Client;
  let master: Master;

  beforeEach(async () => {
    double = new TerasliceMaster();
    client = connect(kubeconfigOf(await double.listen()), undefined, {});
    master = new Master(client, service, new AbortController().signal);
  });
  afterEach(() => double.stop());

  /** Lets the first `times` requests of this name go wrong. */
  function spoil(name: RegExp, mishap: Mishap, times = 1): void {
    let left = times;
    double.mishap = (request) => (name.test(request) && left-- > 0 ? mishap : undefined);
  }
  const register = () => master.register("dev-example", JOB);
  const REGISTER = /^POST \/v1\/jobs$/;

  it("stores a job without starting it, and finds it by its owner", async () => {
    const id = await register();
    assert.equal((await master.job(id))?.["name"], "example");
    assert.deepEqual(
      (await master.owned("dev-example")).map(({ job_id }) => job_id),
      [id],
    );
    assert.deepEqual(await master.owned("dev-other"), []);
    assert.equal(await master.execution(id), undefined);
  });

  const mishaps: [string, Mishap][] = [
    ["was cut off before its execution", { cut: "before" }],
    ["was cut off after its execution", { cut: "after" }],
    ["was answered 503", { status: 503 }],
    ["was answered 500 without a message", { status: 500, message: "" }],
  ];
  for (const [what, mishap] of mishaps) {
    it(`stores a job once if the request ${what}`, async () => {
      spoil(REGISTER, mishap);
      const id = await register();
      assert.deepEqual(
        double.jobs().map(({ job_id }) => job_id),
        [id],
      );
    });
  }

  it("is not asked again after it rejects a job", async () => {
    const wrong = { ...JOB, operations: [] };
    spoil(REGISTER, { status: 400, message: "no job was given" }, 99);
    await assert.rejects(master.register("dev-example", wrong), /could not register the job: no job was given/);
    assert.equal(double.requests.filter((request) => REGISTER.test(request)).length, 1);
  });

  it("changes, starts, scales and stops a job even if responses are lost", async () => {
    const id = await register();
    spoil(/^PUT/, { cut: "after" });
    const changed = await master.change(id, { ...JOB, name: "other" }, (await master.job(id)) ?? {});
    assert.equal(changed["name"], "other");
    assert.equal(await master.start(id), true);
    assert.equal(await master.start(id), false);
    assert.equal((await master.execution(id))?.["_status"], "running");
    spoil(/_workers$/, { status: 502 });
    await master.scale(id, 5);
    assert.equal((await master.execution(id))?.["workers"], 2, "an execution keeps what it began with");
    await assert.rejects(master.remove(id), /currently running/);
    assert.equal(await master.stop(id), true);
    assert.equal((await master.execution(id))?.["_status"], "stopped");
    spoil(/^DELETE/, { cut: "after" });
    await master.remove(id);
    await master.remove(id);
    assert.equal(await master.job(id), undefined);
  });

  it("does not start or change a deleted job", async () => {
    const id = await register();
    await master.remove(id);
    await assert.rejects(master.start(id), /could not start job .*has been deleted and cannot be started/);
    await assert.rejects(master.change(id, JOB, {}), /has been deleted and cannot be updated/);
    assert.deepEqual(await master.owned("dev-example"), []);
  });

  it("stores an asset once under any file name, and rejects an invalid asset", async () => {
    const zip = await assetZip("standard", "1.0.0");
    assert.equal(await master.upload("a.zip", zip), await master.upload("b.zip", zip));
    assert.deepEqual(await master.assets(), [...double.store.assets.stored.values()].map(assetOf));
    await assert.rejects(master.upload("x.zip", Buffer.from("no")), /upload the asset x\.zip: .*not recognized as zip/);
    const other = await assetZip("standard", "1.0.0", "changed");
    await assert.rejects(master.upload("a.zip", other), /already exists, please increment the version/);
  });

  it("accepts a known asset again after a restart with an empty disk", async () => {
    const zip = await assetZip("standard", "1.0.0");
    const id = await master.upload("a.zip", zip);
    double.store.assets.onDisk.clear();
    assert.equal(await master.upload("a.zip", zip), id);
    await master.removeAsset(id);
    await master.removeAsset(id);
    assert.deepEqual(await master.assets(), []);
  });

  it("is awaited while it starts", async () => {
    const id = await register();
    double.available = false;
    setTimeout(() => (double.available = true), 500);
    assert.equal((await master.job(id))?.["name"], "example");
  });

  it("stores a job once even if it resolves the assets long after the request ended", async () => {
    await master.upload("a.zip", await assetZip("standard", "1.0.0"));
    const hasty = new Master(client, service, new AbortController().signal, {
      responseMs: -9_000,
      deadline: Date.now() + 9_000,
    });
    double.loaderMs = 6_000;
    const id = await hasty.register("dev-example", { ...JOB, assets: ["standard"] });
    assert.deepEqual(
      double.jobs().map(({ job_id }) => job_id),
      [id],
    );
    assert.equal(double.requests.filter((request) => REGISTER.test(request)).length, 1);
  });

  it("is named in the error if it does not answer in time", async () => {
    const id = await register();
    const hasty = new Master(client, service, new AbortController().signal, { deadline: Date.now() });
    double.mishap = (request) => (/_start$/.test(request) ? { delayMs: 7_000 } : undefined);
    await assert.rejects(
      hasty.start(id),
      /could not start job .*: the Teraslice master ts\/acme-master did not answer within 5 seconds, and may still do it\. .*kubectl -n ts logs deployment\/acme-master/,
    );
  });

  it("sends warnings about an accepted job, which are passed on and not stored", async () => {
    const said: string[] = [];
    const warn = (message: string) => void said.push(message);
    const logging = new Master(client, service, new AbortController().signal, { warn });
    const reason = { _op: "noop", field: "size", description: "is old" };
    double.warnings = [{ type: "JobValidation", reason: { type: "assetOperation", kind: "deprecation", reason } }];
    const id = await logging.register("dev-example", JOB);
    const changed = await logging.change(id, { ...JOB, name: "other" }, (await master.job(id)) ?? {});
    assert.deepEqual(said, ["noop.size: is old"], "each once");
    assert.equal("warnings" in changed, false);
    const started = new Master(client, service, new AbortController().signal, { warn });
    await started.start(id);
    assert.equal(said.length, 2, "also when it is started");
    await started.stop(id);
    const recovered = new Master(client, service, new AbortController().signal, { warn });
    await recovered.command("recover", id, "_recover");
    assert.equal(said.length, 3, "and when it is recovered");
  });

  it("rejects a job in one line, with paths and without a stack trace", async () => {
    const wrong = { ...JOB, workers: 0, lifecycle: "sometimes" };
    const lifecycle = 'lifecycle: Invalid option: expected one of "once"|"persistent"';
    await assert.rejects(master.register("dev-example", wrong), ({ message }: Error) =>
      message.endsWith(`${lifecycle}; workers: must be valid integer greater than zero`),
    );
  });

  it("is asked only once for a job that it rejects with 500", async () => {
    await assert.rejects(
      master.register("dev-example", { ...JOB, assets: ["absent"] }),
      /No assets found for "absent"$/,
    );
    assert.equal(double.requests.filter((request) => REGISTER.test(request)).length, 1);
  });

  it("can answer a command with plain text", async () => {
    const id = await register();
    await master.start(id);
    spoil(/_workers$/, { words: "5 workers have been set" });
    await master.scale(id, 5);
  });

  it("is awaited if its response is slow", async () => {
    const id = await register();
    spoil(/^GET/, { delayMs: 300 });
    assert.ok(await master.job(id));
  });
});

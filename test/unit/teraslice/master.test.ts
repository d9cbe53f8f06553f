import assert from "node:assert/strict";
import { connect } from "../../../provider/kubernetes/connect";
import { Master } from "../../../provider/teraslice/master";
import { TerasliceMaster, type Mishap } from "../../doubles/teraslice/master";

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

describe("A Teraslice master", function () {
  this.timeout(10_000);
  let double: TerasliceMaster;
  let master: Master;

  beforeEach(async () => {
    double = new TerasliceMaster();
    const client = connect(kubeconfigOf(await double.listen()), undefined, {});
    master = new Master(client, { namespace: "ts", name: "acme-master", port: 5678 }, new AbortController().signal);
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
    ["was cut off before it was carried out", { cut: "before" }],
    ["was cut off after it was carried out", { cut: "after" }],
    ["was answered 503", { status: 503 }],
    ["was answered 500 without reason", { status: 500, message: "" }],
  ];
  for (const [what, mishap] of mishaps) {
    it(`has a job once, when the request ${what}`, async () => {
      spoil(REGISTER, mishap);
      const id = await register();
      assert.deepEqual(
        double.jobs().map(({ job_id }) => job_id),
        [id],
      );
    });
  }

  it("is not asked again when it says that the job is wrong", async () => {
    const wrong = { ...JOB, operations: [] };
    spoil(REGISTER, { status: 400, message: "no job was given" }, 99);
    await assert.rejects(master.register("dev-example", wrong), /could not register the job: no job was given/);
    assert.equal(double.requests.filter((request) => REGISTER.test(request)).length, 1);
  });

  it("changes, starts, scales and stops a job also when answers are lost", async () => {
    const id = await register();
    spoil(/^PUT/, { cut: "after" });
    assert.equal((await master.change(id, { ...JOB, name: "other" }))["name"], "other");
    assert.equal(await master.start(id), true);
    assert.equal(await master.start(id), false);
    assert.equal((await master.execution(id))?.["_status"], "running");
    spoil(/_workers$/, { status: 502 });
    await master.scale(id, 5);
    assert.equal((await master.execution(id))?.["workers"], 5);
    await assert.rejects(master.remove(id), /currently running/);
    assert.equal(await master.stop(id), true);
    assert.equal(await master.stop(id), false);
    spoil(/^DELETE/, { cut: "after" });
    await master.remove(id);
    await master.remove(id);
    assert.equal(await master.job(id), undefined);
  });

  it("says that a job was deleted, and starts or changes it no more", async () => {
    const id = await register();
    await master.remove(id);
    await assert.rejects(master.start(id), /could not start job .*has been deleted and cannot be started/);
    await assert.rejects(master.change(id, JOB), /has been deleted and cannot be updated/);
    assert.deepEqual(await master.owned("dev-example"), []);
  });

  it("takes an asset once, whatever it is called, and refuses what is none", async () => {
    const zip = Buffer.from("PK\u0003\u0004content");
    assert.equal(await master.upload("a.zip", zip), await master.upload("b.zip", zip));
    assert.equal(double.store.assets.size, 1);
    await assert.rejects(master.upload("x.zip", Buffer.from("no")), /hand over the asset x\.zip: .*asset\.json/);
  });

  it("waits for an answer that is slow", async () => {
    const id = await register();
    spoil(/^GET/, { delayMs: 300 });
    assert.ok(await master.job(id));
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { TextWriter, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { buildAsset } from "../../../cli/teraslice/assets/build";
import { assetsInUse, choose } from "../../../cli/teraslice/assets/choice";
import { awaitStatus, exported, recover, type Reached } from "../../../cli/teraslice/reached";
import { connect } from "../../../kubernetes/client/connect";
import type { Asset } from "../../../provider/resources/terasliceJob/master/assets";
import { readBundle } from "../../../provider/resources/terasliceJob/master/bundle";
import { Master } from "../../../provider/resources/terasliceJob/master/master";
import { TerasliceMaster } from "../../doubles/teraslice/master";
import { assetZip } from "../../doubles/teraslice/zip";

const JOB = { name: "events", lifecycle: "persistent", operations: [{ _op: "data_generator" }, { _op: "noop" }] };

describe("Commands to a Teraslice job", function () {
  this.timeout(20_000);
  let double: TerasliceMaster;
  let reached: Reached;
  let id: string;

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
    const site = {
      client,
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

  it("pause and resume what runs", async () => {
    await reached.site.master.start(id);
    await reached.site.master.command("pause", id, "_pause");
    assert.equal(double.store.latest(id)?.["_status"], "paused");
    await reached.site.master.command("resume", id, "_resume");
    assert.equal(double.store.latest(id)?.["_status"], "running");
    end("completed");
    await assert.rejects(reached.site.master.command("pause", id, "_pause"), /no active execution/);
  });

  it("wait until it has ended, and fail when it ends otherwise or not in time", async () => {
    await reached.site.master.start(id);
    await assert.rejects(awaitStatus(reached, ["completed"]), /events is still running after 1 seconds, .* completed/);
    assert.equal((await awaitStatus(reached, ["running"]))["_status"], "running");
    end("failed", "no space left");
    await assert.rejects(awaitStatus(reached, ["completed", "stopped"]), /events is failed, .*: no space left/);
  });

  it("recover nothing that runs or never ran, as a master would", async () => {
    await assert.rejects(recover(reached, undefined), /never ran/);
    await assert.rejects(recover(reached, "some"), /cleanup: found "some"; expected all, errors, pending/);
    await reached.site.master.start(id);
    await assert.rejects(recover(reached, "errors"), /events is running; stop it before/);
    end("stopped");
    await reached.site.master.command("recover", id, "_recover?cleanup_type=errors");
    assert.equal(double.store.latest(id)?.["recovered_slice_type"], "errors");
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

  it("export a job as it was written, without what the master or the platform adds", () => {
    const added = { imagePullSecrets: [{ name: "one" }] };
    const labels = { stackyard: "dev-events", team: "data" };
    const stored = { ...JOB, labels, pod_spec_override: added, job_id: "1", _created: "now", _context: "job" };
    assert.deepEqual(exported(stored, added), { ...JOB, labels: { team: "data" } });
    assert.deepEqual(exported({ ...JOB, labels: { stackyard: "dev-events" } }, undefined), JOB);
    assert.deepEqual(exported(stored, { volumes: [] })["pod_spec_override"], added);
  });

  it("say which assets something runs with", async () => {
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

describe("Assets that are removed", () => {
  const asset = (version: string, more: Partial<Asset> = {}): Asset => ({
    id: version,
    name: "standard",
    version,
    ...more,
  });
  const all = [asset("1.0.0"), asset("1.10.0"), asset("1.9.0"), asset("3", { name: "other" })];
  const versions = (list: readonly Asset[]): string[] => list.map(({ version }) => version);

  it("are those of a name, a version or an id, but for the newest that stay and those that are used", () => {
    assert.deepEqual(versions(choose(all, "standard", 0, new Set()).remove), ["1.10.0", "1.9.0", "1.0.0"]);
    assert.deepEqual(versions(choose(all, "standard", 1, new Set()).remove), ["1.9.0", "1.0.0"]);
    assert.deepEqual(versions(choose(all, "standard:1.9.0", 0, new Set()).remove), ["1.9.0"]);
    const { remove, used } = choose(all, "standard", 1, new Set(["1.0.0"]));
    assert.deepEqual([versions(remove), versions(used)], [["1.9.0"], ["1.0.0"]]);
    assert.throws(() => choose(all, "absent", 0, new Set()), /no asset absent; it has standard, other/);
  });

  it("stay for each version of Node that they are for", () => {
    const nodes = [asset("1.0.0", { nodeVersion: 22 }), asset("2.0.0", { nodeVersion: 24 })];
    assert.deepEqual(versions(choose(nodes, "standard", 1, new Set()).remove), []);
  });
});

describe("An asset that is built", () => {
  let folder: string;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "stackyard-asset-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is its folder as it is, and the same zip file for the same sources", async () => {
    write("asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("noop/processor.js", "module.exports = 1;");
    const { zip, fileName } = await buildAsset(folder, 24);
    assert.equal(fileName, "mine-v1.0.0-bundle.zip");
    assert.equal((await readBundle(zip)).name, "mine");
    assert.deepEqual((await buildAsset(folder, 24)).zip, zip);
  });

  it("is bundled with what it imports where there is an index beside asset/asset.json", async () => {
    write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("asset/src/index.ts", 'import { one } from "./one"; export const ASSETS: object = { one };');
    write("asset/src/one.ts", "export const one: number = 1;");
    const { zip, asset, fileName } = await buildAsset(folder, 24);
    assert.deepEqual([fileName, asset.nodeVersion], ["mine-v1.0.0-node-24-bundle.zip", 24]);
    const double = new TerasliceMaster();
    assert.equal((await double.store.assets.save(zip)).id, asset.id, "a master gives it the id that we expect");
  });

  it("runs on its own: with its static files, and what modules of before take for granted", async () => {
    write("asset/asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("asset/__static_assets/words.txt", "hello");
    write("asset/lib/old.js", "module.exports = { folder: __dirname, files: require('node:fs') };");
    write(
      "asset/index.js",
      [
        'import { createRequire } from "node:module";',
        'import old from "./lib/old.js";',
        "const require = createRequire(import.meta.url);",
        "class Noop {}",
        'export const ASSETS = { noop: { Processor: Noop }, name: Noop.name, os: require("node:os").EOL };',
        'export const words = old.files.readFileSync(old.folder + "/__static_assets/words.txt", "utf8");',
      ].join("\n"),
    );
    const { zip } = await buildAsset(folder, 24);
    const out = path.join(folder, "out");
    const reader = new ZipReader(new Uint8ArrayReader(zip), { useWebWorkers: false });
    for (const entry of await reader.getEntries()) {
      if (!entry.directory) write(path.join("out", entry.filename), await entry.getData(new TextWriter()));
    }
    assert.equal(readFileSync(path.join(out, "package.json"), "utf8"), '{ "type": "module" }\n');
    const script = `const { ASSETS, words } = await import(${JSON.stringify(path.join(out, "index.js"))}); console.log(ASSETS.name, words);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    assert.equal(stdout, "Noop hello\n");
  });

  it("is refused where it is none, or can't be bundled", async () => {
    await assert.rejects(buildAsset(folder, 24), /expected one with asset\.json or asset\/asset\.json/);
    write("asset.json", JSON.stringify({ name: "mine" }));
    await assert.rejects(buildAsset(folder, 24), /is no asset: its asset\.json has no version/);
    write("asset.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
    write("index.js", "import './absent.js';");
    await assert.rejects(buildAsset(folder, 24), /index\.js can't be bundled: .*absent/s);
  });
});

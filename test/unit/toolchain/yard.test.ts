import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as net from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { EngineRun } from "../../../foundation/process/engines";
import { withLock } from "../../../toolchain/bootstrap/lock";
import { nextClusterStep } from "../../../toolchain/yard/cluster";
import { clusterConfig, kubeconfigOf } from "../../../toolchain/yard/clusterConfig";
import { environmentOf, shellExports, type EnvironmentParts } from "../../../toolchain/yard/environment";
import { writePrivateSync } from "../../../foundation/wholeFile";
import { link, withoutFolder } from "../../../toolchain/yard/files";
import { layoutOf } from "../../../toolchain/yard/layout";
import { enginePort } from "../../../toolchain/yard/orphans";
import { choosePorts, isFree, LISTENERS, portsToBind } from "../../../toolchain/yard/ports";
import { removeStaleLock } from "../../../toolchain/yard/postgres/postgres";
import { ofYard } from "../../../toolchain/yard/processes";
import { leftYards, sideLock, testYard, sideYard } from "../../../toolchain/yard/sideYards";
import { removeDeadLocks, waitForUpdate } from "../../../toolchain/yard/stateLocks";

let folder: string;
beforeEach(() => (folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-yard-")))));
afterEach(() => fs.rmSync(folder, { recursive: true }));

describe("the ports of a yard", () => {
  it("are the same for the same folder, and differ for another folder", async () => {
    const all = (): Promise<boolean> => Promise.resolve(true);
    assert.deepEqual(await choosePorts("/a/.yard", all), await choosePorts("/a/.yard", all));
    assert.notDeepEqual(await choosePorts("/a/.yard", all), await choosePorts("/b/.yard", all));
  });

  it("skip ports that are in use, and are all different", async () => {
    const first = await choosePorts("/a/.yard", () => Promise.resolve(true));
    const ports = Object.values(await choosePorts("/a/.yard", (port) => Promise.resolve(port !== first.etcd)));
    assert.equal(new Set(ports).size, LISTENERS.length);
    assert.ok(!ports.includes(first.etcd));
  });

  it("cause an error if no port is free", async () => {
    await assert.rejects(
      choosePorts("/a/.yard", () => Promise.resolve(false)),
      /only 0 free ports/,
    );
  });

  it("are not free while a server listens", async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as net.AddressInfo;
    assert.equal(await isFree(port), false);
    await new Promise((resolve) => server.close(resolve));
    assert.equal(await isFree(port), true);
  });
});

describe("a folder that must not be created", () => {
  it("is a file that states the reason", () => {
    const logs = path.join(folder, "pulumi", "logs");
    withoutFolder(logs, "not here");
    assert.throws(() => fs.mkdirSync(logs, { recursive: true }), { code: "EEXIST" });
    assert.equal(fs.readFileSync(logs, "utf8"), "not here\n");
  });

  it("is kept if it exists already", () => {
    fs.mkdirSync(path.join(folder, "logs"));
    withoutFolder(path.join(folder, "logs"), "not here");
    assert.ok(fs.statSync(path.join(folder, "logs")).isDirectory());
  });
});

describe("ports for a program that binds them later", () => {
  it("are all different, and not used for yards or by the system", async () => {
    const ports = await portsToBind(50);
    assert.equal(new Set(ports).size, 50);
    assert.ok(ports.every((port) => port > 29_999 && port < 32_768));
  });

  it("cause an error if none is free", async () => {
    await assert.rejects(
      portsToBind(1, () => Promise.resolve(false)),
      /only 0 free ports/,
    );
  });
});

describe("the cluster of a yard", () => {
  it("is recreated if it is incomplete, started if it is stopped, and not changed if it runs", () => {
    assert.deepEqual(
      (["none", "incomplete", "stopped", "running"] as const).map((state) => nextClusterStep(state)),
      ["create", "recreate", "start", "nothing"],
    );
  });

  it("listens on this machine only", async () => {
    const ports = await choosePorts("/a/.yard", () => Promise.resolve(true));
    const config = JSON.parse(clusterConfig(layoutOf("/a/.yard"), { etcd: "/tools/etcd" }, ports)) as {
      options: Record<string, unknown>;
    };
    assert.equal(config.options["bindAddress"], "127.0.0.1");
    assert.equal(config.options["etcdBinary"], "/tools/etcd");
  });

  it("has a kubeconfig that needs no other file", async () => {
    const ports = await choosePorts("/a/.yard", () => Promise.resolve(true));
    const text = kubeconfigOf(ports, { ca: Buffer.from("CA"), cert: Buffer.from("CERT"), key: Buffer.from("KEY") });
    assert.ok(
      text.includes(`https://127.0.0.1:${ports.apiserver}`) && text.includes(Buffer.from("CA").toString("base64")),
    );
    assert.equal(/"(certificate-authority|client-certificate|client-key)"/.test(text), false);
  });

  it("is named after its folder, so that two checkouts never share a cluster", () => {
    assert.notEqual(layoutOf("/a/.yard").clusterName, layoutOf("/b/.yard").clusterName);
  });
});

describe("the processes of a yard", () => {
  const etcd = {
    pid: 1,
    args: ["/a/.yard/cluster/clusters/x/bin/etcd", "--data-dir=/a/.yard/cluster/clusters/x/etcd"],
  };
  const postgres = { pid: 2, args: ["/n/bin/postgres", "-D", "/a/.yard/postgres/data"] };

  it("are the yard's programs with a path below its folder", () => {
    assert.deepEqual(ofYard([etcd, postgres], ["/a/.yard"]), [etcd, postgres]);
    assert.deepEqual(ofYard([etcd, postgres], ["/a/.yard/postgres"]), [postgres]);
  });

  it("exclude those of a folder with a similar name, and programs that only open the yard's files", () => {
    const alike = { pid: 3, args: ["/n/bin/postgres", "-D", "/a/.yard-2/postgres/data"] };
    const editor = { pid: 4, args: ["vim", "/a/.yard/env"] };
    const reader = { pid: 5, args: ["tail", "-f", "/a/.yard/logs/postgres.log"] };
    assert.deepEqual(ofYard([alike, editor, reader], ["/a/.yard"]), []);
  });
});

describe("a Pulumi plugin", () => {
  const home = layoutOf("/a/.yard").pulumiHome;
  const plugin = (port: number): { pid: number; args: string[] } => ({
    pid: 6,
    args: [`${home}/plugins/resource-kubernetes-v1.0.0/pulumi-resource-kubernetes`, `127.0.0.1:${port}`],
  });

  it("belongs to the yard with its Pulumi home, and names its engine's port", () => {
    assert.deepEqual(ofYard([plugin(4711)], [home]), [plugin(4711)]);
    assert.deepEqual(ofYard([plugin(4711)], [layoutOf("/b/.yard").pulumiHome]), []);
    assert.equal(enginePort(plugin(4711)), 4711);
    assert.equal(enginePort({ pid: 7, args: ["pulumi-resource-kubernetes", "--help"] }), undefined);
  });
});

describe("the lock file of PostgreSQL", () => {
  it("is removed if its server is gone, and kept while the server runs", () => {
    const lock = path.join(folder, "postmaster.pid");
    fs.writeFileSync(lock, `${process.pid}\n${folder}\n`);
    assert.equal(removeStaleLock(folder, [{ pid: process.pid, args: ["postgres"] }]), false);
    assert.equal(removeStaleLock(folder, []), true);
    assert.equal(fs.existsSync(lock), false);
    assert.equal(removeStaleLock(folder, []), false);
  });
});

describe("a lock of a stack", () => {
  const lock = { username: "ann", hostname: os.hostname(), timestamp: new Date().toISOString() };
  const at = (stack: string, pid: number): string => {
    const file = path.join(folder, ".pulumi/locks/organization/stackyard", stack, "a.json");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ ...lock, pid }));
    return file;
  };
  const start = () => spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" });

  before(function () {
    if (process.platform !== "linux") this.skip();
  });

  it("is removed if its recorded engine has ended, and other locks are kept", async () => {
    const engine = start();
    const run = EngineRun.begin(engine.pid ?? 0, Date.parse(lock.timestamp));
    const dead = at("dev", run.record.pid);
    const unknown = at("far", spawnSync(process.execPath, ["-e", ""]).pid);
    assert.deepEqual(removeDeadLocks(folder), []);
    const ended = new Promise((resolve) => engine.once("exit", resolve));
    engine.kill("SIGKILL");
    await ended;
    assert.deepEqual(removeDeadLocks(folder), ["stackyard/dev"]);
    assert.deepEqual([fs.existsSync(dead), fs.existsSync(unknown)], [false, true]);
    run.end(true);
  });

  it("of a running update is awaited until the update ends", async () => {
    const update = start();
    const run = EngineRun.begin(update.pid ?? 0, Date.parse(lock.timestamp));
    const file = at("dev", run.record.pid);
    let waitedFor: number | undefined;
    const done = waitForUpdate(folder, "stackyard/dev", (pid) => (waitedFor = pid));
    await waitForUpdate(folder, "stackyard/other", () => assert.fail("another stack's update is none of its business"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(waitedFor, update.pid);
    update.kill("SIGKILL");
    await done;
    assert.equal(fs.existsSync(file), false);
    run.end(true);
  });

  it("causes no error without a state", () => {
    assert.deepEqual(removeDeadLocks(path.join(folder, "nothing")), []);
  });
});

describe("the environment of a yard", () => {
  const parts = (): EnvironmentParts => ({
    root: "/check out/it's",
    layout: layoutOf("/check out/it's/.yard"),
    tools: { folders: ["/tools/plugin", "/tools/a"], path: ["/tools/a"], programs: {} },
    node: "/node/bin/node",
    offline: true,
  });

  it("can be read by a shell for any folder name", () => {
    const script = `${shellExports(parts())}\nprintf '%s\\n' "$KUBECONFIG" "$PATH" "\${PULUMI_CONFIG_PASSPHRASE-unset}"`;
    const { stdout, status } = spawnSync("/bin/sh", ["-c", script], {
      encoding: "utf8",
      env: { PATH: "/usr/bin", PULUMI_CONFIG_PASSPHRASE: "mine" },
    });
    assert.equal(status, 0);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "/check out/it's/.yard/kubeconfig",
      "/node/bin:/tools/a:/check out/it's/cli/bin:/usr/bin:/check out/it's/cli/aws/bin",
      "unset",
    ]);
  });

  it("for a process has the yard's paths first, and no variables that would override the yard's", () => {
    const env = environmentOf(parts(), {
      PATH: "/usr/bin:/tools/a",
      HOME: "/home/me",
      PULUMI_CONFIG_PASSPHRASE: "mine",
    });
    assert.equal(env["PATH"], "/node/bin:/tools/a:/check out/it's/cli/bin:/usr/bin:/check out/it's/cli/aws/bin");
    assert.equal(env["HOME"], "/home/me");
    assert.equal(env["PULUMI_CONFIG_PASSPHRASE"], undefined);
    assert.equal(env["PULUMI_HOME"], "/check out/it's/.yard/pulumi");
  });

  it("forbids Pulumi to download plugins only if downloads failed", () => {
    const name = "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION";
    assert.equal(environmentOf(parts(), {})[name], "true");
    assert.equal(environmentOf({ ...parts(), offline: false }, {})[name], undefined);
  });
});

describe("the files of a yard", () => {
  it("with secrets can be read only by their owner, even if they existed before", () => {
    const file = path.join(folder, "secret");
    fs.writeFileSync(file, "old", { mode: 0o644 });
    writePrivateSync(file, "new");
    assert.equal(fs.readFileSync(file, "utf8"), "new");
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  });

  it("that link to a tool follow the tool when it changes", () => {
    const file = path.join(folder, "deep", "pulumi");
    link("/tools/1/pulumi", file);
    link("/tools/2/pulumi", file);
    assert.equal(fs.readlinkSync(file), "/tools/2/pulumi");
  });
});

describe("yards left behind by killed programs", () => {
  it("are the yards of tests and of the upstream charts that are not in use", async () => {
    assert.deepEqual(leftYards(folder), []);
    const tests = [testYard(folder), testYard(folder, 1), testYard(folder, 2)];
    const upstream = sideYard(folder, "upstream");
    for (const yard of [...tests, upstream]) fs.mkdirSync(yard, { recursive: true });
    for (const name of ["state", "testing", "upstream-charts"]) fs.mkdirSync(path.join(folder, ".yard", name));
    assert.deepEqual(leftYards(folder).sort(), [...tests, upstream].sort());
    const left = () => Promise.resolve(leftYards(folder).sort());
    assert.deepEqual(await withLock(sideLock(folder, "upstream"), left), [...tests].sort());
    assert.deepEqual(await withLock(sideLock(folder, "test"), left), [upstream]);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import * as path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { signalAll } from "../../../../engine/process/processTree";
import { kubernetesProvisioner } from "../../runtime/provisioner";
import { testYard } from "../../runtime/yard";
import { holdLedger, killWhen, until, waitsForLedger } from "../held";
import { newMark, processesWith } from "../marked";
import { Project, type Ended, type Started } from "../project";
import { serverPids, startServers } from "./servers";

const run = promisify(execFile);
const namespace = `killed-${randomBytes(3).toString("hex")}`;
const HOST = `http://${namespace}.example.com:9091`;

const killAll = (pids: readonly (number | string)[]): void => {
  assert.notEqual(pids.length, 0, "there is nothing to kill");
  signalAll(pids.map(Number), "SIGKILL");
};

describe("stackyard runtime with killed processes", () => {
  let project: Project;
  /** Every process that a command starts has this in its environment. */
  const mark = newMark();

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, ...Object.fromEntries([mark]) } });
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "shared",
      provisioners: {
        pods: kubernetesProvisioner(namespace, { timeoutSeconds: 60 }),
        shared: { type: "static", spec: { runtimes: [{ host: HOST, slots: 12, dataDir: "/mnt" }] } },
      },
    });
  });
  after(async () => {
    await startServers();
    await project.remove();
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });
  afterEach(async () => {
    assert.deepEqual(await ledger(), [], "slots stay taken");
    await until("no process remains", () => Promise.resolve(processesWith(mark).length === 0));
  });

  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, "-n", namespace, ...args])).stdout;
  const ledger = async (): Promise<string[]> => {
    const client = new Client({ connectionString: project.place.ledgerUrl });
    await client.connect();
    const text = "SELECT deployment || ' ' || slots AS row FROM stackyard.allocations WHERE host = $1 ORDER BY 1";
    const { rows } = await client.query<{ row: string }>(text, [HOST]);
    await client.end();
    return rows.map(({ row }) => row);
  };
  const well = (...args: string[]): Promise<Ended> => project.runtime(...args);
  const failed = async ({ ended }: Pick<Started, "ended">, message: RegExp): Promise<void> => {
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 1, stdout + stderr);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /^\s+at .*:\d+:\d+\)?$/m);
  };
  /** Runs something that takes or gives slots, and kills in the middle of it. */
  const inTheMiddle = async <T extends Pick<Started, "ended">>(begin: () => T, kill: () => void): Promise<T> => {
    const release = await holdLedger(project.place);
    try {
      const started = begin();
      await until("it waits for the ledger", () => waitsForLedger(project.place));
      kill();
      await started.ended;
      return started;
    } finally {
      await release();
    }
  };
  const marked = (program: RegExp): string[] =>
    processesWith(mark).filter((pid) =>
      program.test(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")),
    );
  const UP = ["up", "acme", "--version", "1", "--slots", "2"] as const;
  const DESTROY = ["destroy", "acme", "--yes"] as const;

  it("reports an unreachable ledger when PostgreSQL is killed, and completes on the next attempt", async () => {
    const away = /the ledger \(PostgreSQL 127\.0\.0\.1:\d+\/ledger\) cannot be reached: [^]*see that it runs/;
    for (const [args, left] of [
      [UP, ["acme 2"]],
      [DESTROY, []],
    ] as const) {
      const begin = () => project.start("runtime", ...args);
      await failed(await inTheMiddle(begin, () => killAll(serverPids("postgres"))), away);
      await startServers();
      await well(...args);
      assert.deepEqual(await ledger(), left);
    }
  });

  it("reports a killed engine and completes on the next attempt", async () => {
    const killed = /the engine \(pulumi\) was ended by SIGKILL[^]*[Rr]un the command again/;
    for (const [args, left] of [
      [UP, ["acme 2"]],
      [DESTROY, []],
    ] as const) {
      const begin = () => project.start("runtime", ...args);
      await failed(await inTheMiddle(begin, () => killAll(marked(/^(\S*\/)?pulumi (up|destroy) /))), killed);
      await well(...args);
      assert.deepEqual(await ledger(), left);
    }
  });

  it("leaves neither a new stack nor its lock when the engine is killed before any change", async () => {
    const backend = path.join(project.place.env["PULUMI_BACKEND_URL"]!.slice("file://".length), ".pulumi");
    const state = path.join(backend, "stacks", "stackyard-runtime", "unborn.json");
    const locks = () => globSync(path.join(backend, "locks", "organization", "stackyard-runtime", "unborn", "*.json"));
    for (const verb of ["preview", "up"]) {
      const started = project.start("runtime", verb, "unborn", "--version", "1");
      const engine = () => marked(new RegExp(`^(\\S*/)?pulumi ${verb} `));
      await until("the engine has begun", () => Promise.resolve(existsSync(state) && engine().length > 0));
      // The command runs the program and our provider, so nothing is made meanwhile.
      signalAll([started.pid], "SIGSTOP");
      try {
        // A preview does not lock its stack.
        await until("it has its lock", () => Promise.resolve(verb === "preview" || locks().length > 0));
        killAll(engine());
      } finally {
        signalAll([started.pid], "SIGCONT");
      }
      await failed(started, /the engine \(pulumi\) was ended by SIGKILL/);
      assert.deepEqual([existsSync(state), locks()], [false, []], verb);
    }
  });

  it("completes on the next pulumi command when the provider is killed under plain pulumi", async () => {
    const provider = () => killAll(marked(/pulumi-resource-stackyard|provider\/main|provider-main/));
    await well(...UP);
    await project.pulumi("config", "set", "-s", "acme", "--path", "deployment.slots", "3");
    for (const [verb, left] of [
      ["up", ["acme 3"]],
      ["destroy", []],
    ] as const) {
      const hand = () => ({ ended: project.pulumi(verb, "-s", "acme", "--yes", "--skip-preview") });
      const { code } = await (await inTheMiddle(hand, provider)).ended;
      assert.notEqual(code, 0);
      const again = await hand().ended;
      assert.equal(again.code, 0, again.stdout + again.stderr);
      assert.deepEqual(await ledger(), left);
    }
    await well(...DESTROY);
  });

  it("keeps disks when the API server is killed, and completes on the next attempt", async () => {
    const up = ["up", "held", "--version", "1", "--provisioner", "pods"] as const;
    const destroy = ["destroy", "gone", "--yes"] as const;
    await well("up", "gone", "--version", "1", "--provisioner", "pods");
    // No pod can be made, and no service removed.
    await kubectl("create", "quota", "none", "--hard=pods=0");
    const finalizers = (list: string[]) =>
      kubectl(
        "patch",
        "service",
        "runtime-gone",
        "--type=merge",
        "-p",
        JSON.stringify({ metadata: { finalizers: list } }),
      );
    await finalizers(["example.com/hold"]);
    const [first, second] = [project.start("runtime", ...up), project.start("runtime", ...destroy)];
    const claim = () =>
      kubectl("get", "pvc", "data-runtime-held-0", "--ignore-not-found", "-o", "jsonpath={.metadata.uid}");
    const going = () => kubectl("get", "service", "runtime-gone", "-o", "jsonpath={.metadata.deletionTimestamp}");
    await until("both are in the middle", async () => (await claim()) !== "" && (await going()) !== "");
    const disk = await claim();
    killAll(serverPids("kube-apiserver"));
    const away = /the cluster at https:\/\/127\.0\.0\.1:\d+ cannot be reached: nothing listens there/;
    await Promise.all([failed(first, away), failed(second, away)]);
    await startServers();
    await Promise.all([kubectl("delete", "quota", "none"), finalizers([])]);
    await Promise.all([well(...up), well(...destroy)]);
    assert.equal(await claim(), disk);
    assert.doesNotMatch(await kubectl("get", "statefulsets,services,pvc", "-o", "name"), /gone/);
    await well("destroy", "held", "--yes");
  });

  it("removes resources of killed updates after a plain pulumi destroy, or lists them as orphans", async () => {
    // The ledger carries out what it was reported last, when nobody waits for that any more.
    const release = await holdLedger(project.place, "SHARE");
    try {
      await killWhen(project, ["runtime", ...UP], "slots are being taken", () => waitsForLedger(project.place));
    } finally {
      await release();
    }
    await until("they are taken", async () => (await ledger()).length > 0);
    await kubectl("create", "quota", "none", "--hard=pods=0");
    const hasSet = async () => (await kubectl("get", "statefulsets", "-o", "name")).includes("runtime-pod");
    const pod = ["runtime", "up", "pod", "--version", "1", "--provisioner", "pods"] as const;
    await killWhen(project, pod, "its objects are there", hasSet);
    await kubectl("delete", "quota", "none");

    const orphans = async (): Promise<string> => (await well("list", "--orphans", "-o", "id")).stdout.trim();
    assert.equal(await orphans(), "", "the states know what was being made");
    for (const id of ["acme", "pod"]) {
      // The lock of the one that was killed.
      await project.pulumi("cancel", id, "--yes");
      const { code, stdout, stderr } = await project.pulumi("destroy", "-s", id, "--yes", "--skip-preview");
      assert.equal(code, 0, stdout + stderr);
    }
    assert.equal(await orphans(), "", "the engine keeps in the state what it could not ask for");
    assert.match((await well("list")).stdout, /acme .*pending[^]*pod .*pending/);
    assert.match((await well(...DESTROY)).stderr, /acme is gone/);
    assert.deepEqual(await ledger(), []);

    // Anyone who forgets the stack then forgets that too.
    const { code, stderr } = await project.pulumi("stack", "rm", "pod", "--yes");
    assert.equal(code, 0, stderr);
    assert.equal(await orphans(), "pod");
    await well("remove-orphan", "pod", "--yes", "--allow-data-loss", `${namespace}/data-runtime-pod-0`);
    assert.equal(await orphans(), "");
    assert.equal(await kubectl("get", "statefulsets,services,pvc", "-o", "name"), "");
  });
});

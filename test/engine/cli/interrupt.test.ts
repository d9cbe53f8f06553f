import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import * as path from "node:path";
import { promisify } from "node:util";
import { testYard } from "../runtime/yard";
import { until } from "./held";
import { Project } from "./project";
import { kubernetesProvisioner } from "../runtime/provisioner";
import { newMark, processesWith } from "./marked";

const run = promisify(execFile);
const tag = randomBytes(3).toString("hex");
const namespace = `cli-stop-${tag}`;
const CHECKOUT = path.join(__dirname, "../../..");
const COMMAND = path.join(CHECKOUT, "cli", "bin", "stackyard");
/** Far below what an update waits for a pod, far above what an engine needs to end. */
const SOON_S = 9;

interface Shown {
  readonly code: number;
  readonly shown: string;
  readonly seconds: number | null;
}

describe("an interrupted command", () => {
  let project: Project;
  /** Every process that a command starts has this in its environment. */
  const mark = newMark();

  before(async () => {
    const place = await testYard();
    project = new Project({ ...place, env: { ...place.env, ...Object.fromEntries([mark]) } });
    await project.platform({
      cluster: { type: "existing", kubeconfig: { path: place.kubeconfig } },
      defaultProvisioner: "one",
      provisioners: {
        one: kubernetesProvisioner(namespace, { timeoutSeconds: 60 }),
      },
    });
  });
  after(async () => {
    await project.remove();
    await kubectl("delete", "namespace", namespace, "--wait=false");
  });
  const kubectl = async (...args: string[]): Promise<string> =>
    (await run("kubectl", ["--kubeconfig", project.place.kubeconfig, ...args])).stdout;

  const remaining = (): string[] => processesWith(mark);
  const nothingRemains = () => until("no process remains", () => Promise.resolve(remaining().length === 0));
  const env = () => ({ ...project.place.env, STACKYARD_PROJECT: project.folder, STACKYARD_PLATFORM: "here" });
  /** More than any node has: its pod is never scheduled, so the update waits. */
  const waiting = (id: string) => ["runtime", "up", id, "--version", "1", "--slots", "500"];
  const inTerminal = async (action: string, ...args: string[]): Promise<Shown> => {
    const script = path.join(__dirname, "terminal.py");
    const { stdout } = await run("python3", [script, action, "waiting for StatefulSet", COMMAND, ...args], {
      env: env(),
    });
    return JSON.parse(stdout) as Shown;
  };
  const soon = (seconds: number | null) => assert.ok(seconds !== null && seconds < SOON_S, `after ${seconds} s`);

  it("ends cleanly on Ctrl-C in a terminal, reports the started update, and leaves no process or lock", async () => {
    const { code, shown, seconds } = await inTerminal("ctrl-c", ...waiting("keyed"));
    assert.equal(code, 130, shown);
    assert.match(shown, /interrupted: cancelling the update of stack keyed/);
    assert.match(shown, /the update of stack keyed was cancelled\. Created resources stay/);
    soon(seconds);
    await nothingRemains();
    const gone = await project.stackyard("runtime", "destroy", "keyed", "--yes");
    assert.equal(gone.code, 0, gone.stderr);
    assert.doesNotMatch(gone.stderr, /lock/);
  });

  it("ends at once on a second Ctrl-C", async () => {
    const { code, shown, seconds } = await inTerminal("ctrl-c-twice", ...waiting("twice"));
    assert.equal(code, 130, shown);
    assert.ok(seconds !== null && seconds < 2, `after ${seconds} s`);
    await nothingRemains();
    assert.equal((await project.stackyard("runtime", "destroy", "twice", "--yes")).code, 0);
  });

  it("ends when its terminal closes", async () => {
    const { code, seconds } = await inTerminal("hang-up", ...waiting("hung"));
    assert.equal(code, 130);
    soon(seconds);
    await nothingRemains();
    const gone = await project.stackyard("runtime", "destroy", "hung", "--yes");
    assert.equal(gone.code, 0, gone.stderr);
    assert.doesNotMatch(gone.stderr, /lock/);
  });

  it("ends with its workers when its output pipes close", async () => {
    const file = path.join(project.folder, "many.json");
    writeFileSync(file, JSON.stringify({ w1: { version: "1", slots: 500 }, w2: { version: "1", slots: 500 } }));
    const child = spawn(COMMAND, ["runtime", "up", "-f", file, "--parallel", "2"], {
      env: env(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const closed = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await until("both are under way", async () => {
      const there = await kubectl("-n", namespace, "get", "statefulsets", "-o", "name", "--ignore-not-found");
      return ["w1", "w2"].every((id) => there.includes(`/runtime-${id}\n`));
    });
    child.stdout.destroy();
    child.stderr.destroy();
    const since = Date.now();
    assert.equal(await closed, 130);
    assert.ok(Date.now() - since < 2 * SOON_S * 1000);
    await nothingRemains();
    for (const id of ["w1", "w2"]) {
      const { code, stderr } = await project.stackyard("runtime", "destroy", id, "--yes");
      assert.equal(code, 0, stderr);
    }
  });

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`ends on ${signal} to its process group`, async () => {
      const child = spawn(COMMAND, waiting(signal.toLowerCase()), { env: env(), detached: true, stdio: "pipe" });
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
      await until("it waits for its pod", () => Promise.resolve(said.includes("Insufficient")));
      const since = Date.now();
      process.kill(-(child.pid ?? 0), signal);
      assert.equal(await closed, 130, said);
      soon((Date.now() - since) / 1000);
      await nothingRemains();
    });
  }

  it("ends at once if it only reads and reports that nothing was changed", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    const asked = once(silent, "connection");
    await once(silent, "listening");
    const PULUMI_BACKEND_URL = `postgres://127.0.0.1:${(silent.address() as AddressInfo).port}/state`;
    const child = spawn(COMMAND, ["runtime", "list"], { env: { ...env(), PULUMI_BACKEND_URL }, stdio: "pipe" });
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await asked;
    child.kill("SIGINT");
    assert.equal(await closed, 130);
    assert.match(said, /interrupted: nothing was being changed/);
    silent.close();
  });
});

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fateOf, identify, type ProcessIdentity } from "../../../../foundation/process/identity";
import { Deadline } from "../../../../engine/workers/deadline";
import { Watchdog } from "../../../../engine/workers/watchdog";

/** Starts a stopped process with a stopped child in a session of its own, as a worker has an engine. */
const CODE = `const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "process.kill(process.pid, 'SIGSTOP'); setTimeout(() => {}, 600000)"],
  { detached: true, stdio: "ignore" });
process.stdout.write(child.pid + "\\n", () => process.kill(process.pid, "SIGSTOP"));`;

async function startTree(): Promise<{ child: ChildProcess; worker: ProcessIdentity; engine: ProcessIdentity }> {
  const child = spawn(process.execPath, ["-e", CODE], { stdio: ["ignore", "pipe", "ignore"] });
  const [pid] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return {
    child,
    worker: identify(child.pid ?? 0) ?? assert.fail(),
    engine: identify(Number(pid)) ?? assert.fail(),
  };
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isTrue(); await sleep(50)) assert.ok(Date.now() < end, `never ${what}`);
}

describe("the watchdog of a worker", function () {
  this.timeout(60_000);
  const left: ChildProcess[] = [];
  const dogs: Watchdog[] = [];
  const dog = (): Watchdog => {
    const made = new Watchdog((line) => assert.fail(line));
    dogs.push(made);
    return made;
  };

  before(function () {
    if (process.platform !== "linux") this.skip();
  });
  afterEach(() => {
    for (const each of dogs.splice(0)) each.close();
    for (const each of left.splice(0)) each.kill("SIGKILL");
  });

  it("ends worker and engine at the deadline, even if both are stopped", async () => {
    const { child, worker, engine } = await startTree();
    left.push(child);
    const began = Date.now();
    dog().begin(new Deadline(2_400), worker);
    await until("ended", () => [worker, engine].every((each) => fateOf(each) === "ended"));
    // It counts whole seconds.
    assert.ok(Date.now() - began < 6_000, `${Date.now() - began} ms`);
  });

  it("ends an engine whose worker has already ended", async () => {
    const { child, worker, engine } = await startTree();
    const watch = dog().begin(new Deadline(3_600), worker);
    watch.add(engine);
    child.kill("SIGKILL");
    await until("ended", () => fateOf(engine) === "ended");
  });

  it("waits while the deadline is extended, and does not end a job that ends in time", async () => {
    const { child, worker, engine } = await startTree();
    left.push(child);
    const deadline = new Deadline(3_600);
    const watch = dog().begin(deadline, worker);
    for (let turn = 0; turn < 6; turn++) {
      await sleep(1_000);
      deadline.extend(deadline.moment);
    }
    assert.equal(fateOf(engine), "running");
    watch.end();
    await sleep(5_000);
    assert.deepEqual([worker, engine].map(fateOf), ["running", "running"]);
    process.kill(engine.pid, "SIGKILL");
  });

  it("kills no process that has the id of an ended worker", async () => {
    const { child, worker, engine } = await startTree();
    left.push(child);
    dog().begin(new Deadline(1_200), { ...worker, start: "1" });
    await sleep(3_500);
    assert.deepEqual([worker, engine].map(fateOf), ["running", "running"]);
    process.kill(engine.pid, "SIGKILL");
  });

  it("ends with the service once the processes of the job have ended", async () => {
    const { child, worker, engine } = await startTree();
    const watchdog = dog();
    watchdog.begin(new Deadline(600_000), worker);
    const { child: shell } = watchdog as unknown as { readonly child: ChildProcess };
    const identity = identify(shell.pid ?? 0) ?? assert.fail();
    // As when the service is killed.
    shell.stdin?.end();
    await sleep(3_000);
    assert.equal(fateOf(identity), "running");
    for (const each of [engine, worker]) process.kill(each.pid, "SIGKILL");
    left.push(child);
    await until("ended", () => fateOf(identity) === "ended");
  });
});

import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { projectRoot } from "../../toolchain/root";
import { Project } from "../engine/cli/project";
import { until } from "../engine/cli/held";
import { testYard } from "../engine/runtime/yard";
import { kubernetesProvisioner } from "../engine/runtime/provisioner";
import { MARK } from "../engine/soak/harm";
import { ask, follow } from "./process";
import { remaining } from "./processes";

const run = randomBytes(3).toString("hex");

describe("make serve", () => {
  let project: Project;
  const started: ChildProcess[] = [];

  before(async () => {
    project = new Project(await testYard());
    const cluster = { type: "existing", kubeconfig: { path: project.place.kubeconfig } };
    const provisioners = { cluster: kubernetesProvisioner(`serve-${run}`) };
    await project.platform({ cluster, defaultProvisioner: "cluster", provisioners });
  });
  after(async () => {
    for (const { pid, exitCode, signalCode } of started) {
      if (exitCode === null && signalCode === null) process.kill(-(pid ?? 0), "SIGKILL");
    }
    await project.remove();
    const server = new Client({ connectionString: project.place.ledgerUrl });
    await server.connect();
    await server.query("drop database if exists provisioner with (force)");
    await server.end();
  });

  /** Starts it in a process group of its own, as a terminal does, and waits for its addresses. */
  async function serve(program: string, ...args: string[]) {
    const env = { YARD: process.env["STACKYARD_TEST_YARD"], APP_PLATFORM: "here", APP_WORKERS: "1", [MARK]: run };
    const child = spawn(program, args, {
      cwd: projectRoot(),
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    started.push(child);
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (said += text));
    }
    const ended = once(child, "close") as Promise<[number | null, string | null]>;
    const running = new AbortController();
    const addresses = async (): Promise<RegExpExecArray> => {
      for (;;) {
        const found = /status page {2}(http\S+)\/#token=(\S+)\n {2}API {10}(\S+)\/graphql /.exec(said);
        if (found) return found;
        await sleep(100, undefined, { signal: running.signal });
      }
    };
    const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code}:\n${said}`)));
    const [, page = "", token = "", api = ""] = await Promise.race([addresses(), early]).finally(() => running.abort());
    early.catch(() => undefined);
    return { pid: child.pid ?? 0, page, token, api, ended, said: () => said };
  }

  const listens = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.once("connect", () => resolve(!!socket.destroy()));
      socket.once("error", () => resolve(false));
    });
  const nothingRemains = async (api: string): Promise<void> => {
    await until("no process of it remains", () => Promise.resolve(remaining(run).length === 0));
    assert.equal(await listens(api), false);
  };

  it("prints its addresses, answers there, and ends on Ctrl-C during an operation without losing it", async () => {
    const { pid, page, token, api, ended, said } = await serve("make", "serve");
    assert.match(await (await fetch(page)).text(), /<title>/);
    const mutation = `mutation { provisionDeployment(id: "serve-${run}", deployment: { version: "1" }) { operation { id } } }`;
    const { data, errors } = await ask(api, mutation, token);
    assert.equal(errors, undefined);
    const { operation } = data?.["provisionDeployment"] as { operation: { id: string } };
    process.kill(-pid, "SIGINT");
    await ended;
    assert.doesNotMatch(said(), /error|fatal/i);
    await nothingRemains(api);
    // The next one says how it ended.
    const next = await serve(process.execPath, "toolchain/bootstrap/main.js", "serve");
    assert.equal((await follow(next.api, operation.id, next.token)).at(-1), "done");
    const gone = await ask(
      next.api,
      `mutation { deprovisionDeployment(id: "serve-${run}") { operation { id } } }`,
      token,
    );
    const { id } = (gone.data?.["deprovisionDeployment"] as { operation: { id: string } }).operation;
    assert.equal((await follow(next.api, id, next.token)).at(-1), "done");
    process.kill(next.pid, "SIGINT");
    assert.deepEqual(await next.ended, [0, null], next.said());
    await nothingRemains(next.api);
  });

  it("ends when the terminal is closed and when its parent process is killed", async () => {
    const closed = await serve(process.execPath, "toolchain/bootstrap/main.js", "serve");
    process.kill(-closed.pid, "SIGHUP");
    assert.deepEqual(await closed.ended, [0, null], closed.said());
    await nothingRemains(closed.api);
    const killed = await serve(process.execPath, "toolchain/bootstrap/main.js", "serve");
    process.kill(killed.pid, "SIGKILL");
    await nothingRemains(killed.api);
  });
});

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pythonEnvironment } from "../../../toolchain/python/environment";
import { projectRoot } from "../../../toolchain/root";
import { portToBind } from "../../../toolchain/yard/ports";
import { ask, follow, ServiceProcess } from "../../service/process";
import { TestService } from "../../service/service";
import { settingsOf } from "../../unit/jupyterhub/samples";
import { PlainHub } from "../jupyterhub/plainHub";
import { Browser } from "../jupyterhub/spawning";
import { endProcess, type Source } from "./prometheus";

/** A source with something to do once Prometheus reads it. */
export interface ActiveSource extends Source {
  readonly act: () => Promise<void>;
}

/** One task that ends, one that fails, one that runs, one that waits for a node that is too large, and an actor. */
const WORK = `
import ray, time
ray.init(address="auto")
@ray.remote
def square(x): return x * x
@ray.remote(max_retries=0)
def fail(): raise ValueError("no")
@ray.remote
def rest(): time.sleep(600)
@ray.remote(num_cpus=1000)
def large(): pass
@ray.remote
class Counter:
    def count(self): return 1
print(ray.get([square.remote(x) for x in range(10)]), ray.get(Counter.options(name="kept", lifetime="detached").remote().count.remote()))
waiting = [rest.remote(), large.remote(), fail.remote()]
kept = ray.put(bytes(10_000_000))
time.sleep(600)
`;

const localhost = (port: number): string => `127.0.0.1:${port}`;

async function pythonOf(name: string): Promise<string> {
  const environment = await pythonEnvironment(name, projectRoot());
  if ("missing" in environment) throw new Error(environment.missing);
  return environment.python;
}

async function isOk(url: string): Promise<boolean> {
  return (await fetch(url).catch(() => undefined))?.ok === true;
}

/** A head of the pinned Ray, with a program that uses it. */
export async function ray(): Promise<ActiveSource> {
  const python = await pythonOf("ray");
  // Ray's sockets lie below it, and their paths may have 107 characters.
  const folder = mkdtempSync(path.join(tmpdir(), "ray-"));
  const names = ["port", "dashboard-port", "metrics-export-port", "dashboard-agent-listen-port"] as const;
  const ports = await Promise.all(names.map(() => portToBind()));
  const flags = names.map((name, index) => `--${name}=${ports[index]}`);
  const env = { ...process.env, PATH: `${path.dirname(python)}:${process.env["PATH"]}`, TMPDIR: folder, HOME: folder };
  const head = spawn("ray", ["start", "--head", "--block", "--num-cpus=2", "--disable-usage-stats", ...flags], {
    env,
    stdio: "ignore",
  });
  const metrics = localhost(ports[2]!);
  while (!(await isOk(`http://${metrics}/metrics`))) {
    if (head.exitCode !== null) throw new Error(`ray start ended with ${head.exitCode}`);
    await sleep(500);
  }
  let work: ReturnType<typeof spawn> | undefined;
  return {
    address: metrics,
    labels: { namespace: "ray", pod: "default-ray-head-0" },
    act: () => {
      writeFileSync(path.join(folder, "work.py"), WORK);
      work = spawn(python, ["work.py"], { env, cwd: folder, stdio: "ignore" });
      return Promise.resolve();
    },
    stop: async () => {
      await endProcess(work);
      await endProcess(head);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The pinned JupyterHub with our configuration, and a user whose server does not start. */
export async function jupyterhub(): Promise<ActiveSource> {
  const settings = settingsOf({ auth: { type: "dummy", adminUsers: ["ann"] } }, { stack: "dev", secret: false });
  const changes = { JupyterHub: { authenticate_prometheus: false }, Spawner: { cmd: ["false"], start_timeout: 10 } };
  const hub = await new PlainHub().start(await pythonOf("hub"), settings, changes);
  const { host } = new URL(hub.url);
  return {
    address: host,
    path: "/hub/metrics",
    labels: { namespace: "jupyterhub", pod: "hub-0" },
    act: async () => {
      const browser = new Browser();
      await browser.open(`${hub.url}/login`);
      await browser.open(`${hub.url}/login?_xsrf=${browser.xsrf}`, {
        username: "ann",
        password: "",
        _xsrf: browser.xsrf,
      });
      await browser.open(`${hub.url}/spawn`);
    },
    stop: () => hub.stop(),
  };
}

/** A process of the service on a database of its own, and a deployment that it makes. */
export async function service(): Promise<ActiveSource> {
  const runtimes = [{ host: "http://monitored.localhost", slots: 8 }];
  const place = await TestService.start({
    defaultProvisioner: "pool",
    provisioners: { pool: { type: "static", spec: { runtimes } } },
  });
  const env = { ...place.project.place.env, APP_DATABASE_URL: place.place.url, APP_PLATFORM: "here" };
  const running = await ServiceProcess.start(env);
  const address = /"metrics":"http:\/\/([^"/]+)/.exec(running.log)?.[1] ?? "";
  return {
    address,
    labels: { namespace: "stackyard", pod: "stackyard-0" },
    act: async () => {
      const query = 'mutation { provisionDeployment(id: "acme", deployment: { version: "1" }) { operation { id } } }';
      const { data, errors } = await ask(running.url, query);
      if (errors) throw new Error(JSON.stringify(errors));
      await follow(running.url, (data!["provisionDeployment"] as { operation: { id: string } }).operation.id);
      // The series of a request begins with its first one, so only a later one increases it.
      for (let index = 0; index < 3; index++) {
        await ask(running.url, "{ runtimes { totalCount } }");
        await sleep(2_000);
      }
    },
    stop: async () => {
      await running.stop();
      await place.remove();
    },
  };
}

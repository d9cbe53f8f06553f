import { spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { JupyterHubSettings } from "../../../components/jupyterhub/settings";
import { projectRoot } from "../../../toolchain/root";
import { HUB_CONFIG, writeConfig } from "./hubConfig";

/** On a machine that is busy with other tests. */
const START_MS = 120_000;
const PROXY_TOKEN = "e2".repeat(32);
const PROXY = path.join(projectRoot(), "node_modules/configurable-http-proxy/bin/configurable-http-proxy");

export interface Place {
  readonly python: string;
  readonly kubeconfig: string;
  readonly namespace: string;
}

/** What Auth0 answers with: a token, and the claims of whoever logs in. */
async function fakeAuth0(claims: () => object): Promise<Server> {
  const server = createHttpServer((request, response) => {
    const token = { access_token: "token", token_type: "Bearer" };
    response.setHeader("content-type", "application/json");
    request.resume().on("end", () => response.end(JSON.stringify(request.url === "/oauth/token" ? token : claims())));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A real Hub with KubeSpawner behind the real proxy, configured by what the platform gives the chart. */
export class SpawningHub {
  private readonly folder = mkdtempSync(path.join(tmpdir(), "stackyard-hub-"));
  private readonly running: ChildProcess[] = [];
  private said = "";
  private auth0: Server | undefined;
  url = "";
  /** Of whoever logs in next. */
  claims: object = {};

  async start(settings: JupyterHubSettings, place: Place): Promise<this> {
    const { python, kubeconfig, namespace } = place;
    this.auth0 = await fakeAuth0(() => this.claims);
    const auth0 = `http://127.0.0.1:${(this.auth0.address() as AddressInfo).port}`;
    const [hub, front, api] = [await quietPort(), await quietPort(), await quietPort()];
    const config = {
      hub: `http://127.0.0.1:${hub}`,
      proxyApi: `http://127.0.0.1:${api}`,
      auth0: { token_url: `${auth0}/oauth/token`, userdata_url: `${auth0}/userinfo` },
    };
    writeConfig(this.folder, settings, { "place.json": JSON.stringify(config), kubeconfig });
    const env = {
      ...process.env,
      CONFIGPROXY_AUTH_TOKEN: PROXY_TOKEN,
      HUB_CONFIG,
      HUB_FOLDER: this.folder,
      KUBECONFIG: path.join(this.folder, "kubeconfig"),
      POD_NAMESPACE: namespace,
    };
    const listen = ["--ip", "127.0.0.1", "--port", front, "--api-ip", "127.0.0.1", "--api-port", api].map(String);
    this.run(process.execPath, [PROXY, ...listen, "--default-target", config.hub], env);
    const file = path.join(__dirname, "python", "spawning_config.py");
    this.run(python, ["-m", "jupyterhub", "--config", file], env);
    this.url = `http://127.0.0.1:${front}`;
    const until = Date.now() + START_MS;
    while (!(await fetch(`${this.url}/hub/health`).catch(() => undefined))?.ok) {
      const ended = this.running.find(({ exitCode }) => exitCode !== null);
      if (ended) throw new Error(`${ended.spawnargs.join(" ")} ended:\n${this.said}`);
      if (Date.now() > until) throw new Error(`the Hub does not answer through the proxy:\n${this.said}`);
      await sleep(100);
    }
    return this;
  }

  /** What the Hub and the proxy logged. */
  get log(): string {
    return this.said;
  }

  async stop(): Promise<void> {
    for (const child of this.running.splice(0)) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    }
    this.auth0?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): void {
    const child = spawn(program, [...args], { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.running.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (this.said += chunk.toString()));
  }
}

/** A browser's part: cookies, and no redirect by itself. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  async open(
    url: string,
    form?: Readonly<Record<string, string>>,
    method = form ? "POST" : "GET",
  ): Promise<{ location: string; text: string }> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    // fetch says that it is no browser, for which the Hub sets no cookie.
    const type = form && { "content-type": "application/x-www-form-urlencoded" };
    const request = httpRequest(url, { method, headers: { cookie, ...type }, agent: false });
    request.end(form && new URLSearchParams(form).toString());
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    for (const set of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    return { location: answer.headers.location ?? "", text: `${answer.statusCode} ${await textOf(answer)}` };
  }

  get xsrf(): string {
    return this.cookies.get("_xsrf") ?? "";
  }
}

/** Outside of the range from which the system takes ports for connections. */
async function quietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import * as path from "node:path";
import { stackNames } from "../../service/database/queries/stackNames";
import { projectRoot } from "../../toolchain/root";

export const TOKEN = "operator-of-red-tenant";
export const OTHER = "operator-of-blue-tenant";
export const ADMIN = "administrator-of-red-tenant";
export const GLOBAL = "administrator-of-all-tenants";

/** Key that its secrets are sealed with. */
export const KEY = `test:${Buffer.alloc(32, 1).toString("base64")}`;

/** The stack of a tenant's new deployment, as the service names it unless APP_STACK_NAMES says otherwise. */
export const stackOf = (id: string, tenant = "red"): string => stackNames(tenant, id, "tenant")[0] ?? "";

/** How a process of the service ended, and what it said. */
export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** The service's real process, as it is started in production. */
export class ServiceProcess {
  url = "";
  private said = "";
  readonly ended: Promise<Ended>;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    this.ended = new Promise((resolve) => child.once("close", (code) => resolve({ code, said: this.said })));
  }

  /** Starts one; comes back at once. */
  static begin(
    env: Readonly<Record<string, string | undefined>>,
    args: readonly string[] = [],
    root = projectRoot(),
  ): ServiceProcess {
    const program = path.join(root, "service", "bin", "stackyard-service");
    const own = {
      APP_ADDRESS: "127.0.0.1:0",
      APP_METRICS_ADDRESS: "127.0.0.1:0",
      APP_ENCRYPTION_KEYS: KEY,
      APP_ALLOW_STATIC_TOKENS: "true",
      APP_STATIC_TOKENS: `${TOKEN}=red:operator,${OTHER}=blue:operator,${ADMIN}=red:admin,${GLOBAL}=*:admin`,
      APP_WORKERS: "2",
    };
    const stdio = ["ignore", "pipe", "pipe", "ipc"] as const;
    return new ServiceProcess(
      spawn(process.execPath, [...nodeFlagsOf(program), program, ...args], {
        env: { ...own, ...env },
        stdio: [...stdio],
      }),
    );
  }

  /** Starts one that is ready. */
  static async start(env: Readonly<Record<string, string | undefined>>, root = projectRoot()): Promise<ServiceProcess> {
    const service = ServiceProcess.begin(env, [], root);
    service.url = await new Promise<string>((resolve, reject) => {
      service.child.once("message", (message: { readonly ready: string }) => resolve(message.ready));
      void service.ended.then(({ code, said }) => reject(new Error(`the service ended with ${code}:\n${said}`)));
    });
    return service;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ended> {
    if (this.child.exitCode === null) this.child.kill(signal);
    return this.ended;
  }

  get log(): string {
    return this.said;
  }

  /** Its Prometheus metrics, as text. */
  async metrics(): Promise<string> {
    const at = /"metrics":"(http[^"]+)"/.exec(this.said)?.[1] ?? "";
    return (await fetch(`${at}/metrics`)).text();
  }
}

export interface Reply {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- every test knows what it asked for
  readonly data?: Readonly<Record<string, any>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

/** What a request has besides its query. */
export interface Sent {
  readonly variables?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to the API. */
export async function ask(
  url: string,
  query: string,
  token = TOKEN,
  tenant = "",
  { variables, headers }: Sent = {},
): Promise<Reply> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, tenant, ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

/** The events of an operation until its stream ends. */
export async function follow(url: string, id: string, token = TOKEN): Promise<string[]> {
  const query = `subscription { operationEvents(id: "${id}") { text } }`;
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  return [...text.matchAll(/^data: (\{.*\})$/gm)].flatMap(([, json = ""]) => {
    const { data } = JSON.parse(json) as { data?: { operationEvents?: { text: string } } };
    return data?.operationEvents?.text ?? [];
  });
}

/** The flags of Node.js in the first line of a program. */
export function nodeFlagsOf(program: string): readonly string[] {
  const [first = ""] = readFileSync(program, "utf8").split("\n");
  return first.split(" ").filter((word) => word.startsWith("--"));
}

import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { say } from "../bootstrap/progress";
import { serviceEnvironment } from "../service/environment";
import { startYard } from "../yard/yard";
import { layoutOf } from "../yard/layout";
import { up } from "./up";

const MUTATION =
  'mutation { provisionDeployment(id: "hello", deployment: { version: "0.50.0" }) { operation { id state } } }';

/** Shows what a user needs to start: the page, the API, and a first request to copy. */
export function welcome(url: string, endpoint: string, token: string): string {
  const body = JSON.stringify({ query: MUTATION });
  return [
    `✓ The service runs until Ctrl-C`,
    `  status page  ${url}/#token=${token}`,
    `  API          ${url}${endpoint}  (a browser gets the playground)`,
    ``,
    `A first request:`,
    `  curl -s ${url}${endpoint} -H 'authorization: Bearer ${token}' \\`,
    `    -H 'content-type: application/json' -d '${body}'`,
    ``,
    `The command line:`,
    `  export STACKYARD_SERVICE=${url}${endpoint} STACKYARD_TOKEN=${token}`,
    `  stackyard runtime list`,
  ].join("\n");
}

/**
 * `make serve`: runs the provisioning service on the local yard, or on the one in the folder YARD, with the platform of
 * `make up` unless APP_PLATFORM names another one. Runs until it is interrupted. A second one is a second process of
 * the same service.
 */
export async function serve(root: string): Promise<number> {
  const yard = await startYard({ directory: process.env["YARD"] || undefined });
  const state = layoutOf(yard.directory).state;
  const isDev = (process.env["APP_PLATFORM"] || "dev") === "dev";
  if (isDev && !fs.existsSync(path.join(state, ".pulumi", "stacks", "stackyard", "dev.json"))) {
    const code = await up(root);
    if (code !== 0) return code;
  }
  const { env, token } = await serviceEnvironment(yard, process.env);
  say("• Starting the service");
  const child = spawn(process.execPath, [path.join(root, "service", "bin", "stackyard-service")], {
    cwd: root,
    env,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    // In its own process group, so that it only gets the signals that this process forwards, each once.
    detached: true,
  });
  child.on("message", (message: { readonly ready?: string }) => {
    if (message.ready !== undefined) say(welcome(message.ready, env["APP_API_ENDPOINT"] ?? "/graphql", token));
  });
  return new Promise((resolve, reject) => {
    const end = onceForEach(SAME_MS, (signal) => child.kill(signal));
    process.on("SIGINT", () => end("SIGINT"));
    process.on("SIGTERM", () => end("SIGTERM"));
    // The terminal was closed, or the parent process was killed.
    for (const gone of ["SIGHUP", "disconnect"]) process.on(gone, () => end("SIGTERM"));
    process.channel?.unref();
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

/** Ctrl-C arrives twice: from the terminal, and from the process that started this one. */
const SAME_MS = 500;

/** Forwards a signal unless it is a duplicate, because a second signal makes the service exit immediately. */
export function onceForEach(
  sameMs: number,
  send: (signal: NodeJS.Signals) => void,
  now: () => number = Date.now,
): (signal: NodeJS.Signals) => void {
  let last = -Infinity;
  return (signal) => {
    if (now() - last < sameMs) return;
    last = now();
    send(signal);
  };
}

/** Credential plugins: programs that print credentials, such as `aws eks get-token`. */

import { execFile } from "node:child_process";
import { eksToken, eksTokenRequest } from "./eksToken";
import { listAt, textAt } from "../objects/objects";
import { isObject, type Json, jsonIn } from "../../foundation/json/isObject";

export interface ExecCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Expiry, in milliseconds since 1970. Undefined: valid for the lifetime of the process. */
  readonly expires?: number;
}

export interface Plugin {
  /** The `exec` section of the kubeconfig's user. */
  readonly exec: Json;
  /** The kubeconfig's cluster, which a plugin may request. */
  readonly cluster: Json;
  readonly server: URL;
}

const TIMEOUT_MS = 60_000;

/**
 * Runs the plugin. It can't be canceled, because other requests may wait for the same credential. Its stdout is secret
 * and never reported. Errors contain the last lines of its stderr.
 */
export async function runPlugin({ exec, cluster, server }: Plugin): Promise<ExecCredential> {
  const command = textAt(exec, "command");
  if (command === undefined) throw new Error("the kubeconfig's credential plugin (exec) has no command");
  const apiVersion = textAt(exec, "apiVersion") ?? "client.authentication.k8s.io/v1";
  if (textAt(exec, "interactiveMode") === "Always") {
    throw new Error(
      `the kubeconfig's credential plugin ${command} requires a terminal (interactiveMode: Always), and there is none; use IfAvailable or Never`,
    );
  }
  const info = {
    apiVersion,
    kind: "ExecCredential",
    spec: { interactive: false, ...(exec["provideClusterInfo"] === true ? { cluster: shown(cluster, server) } : {}) },
  };
  const env: NodeJS.ProcessEnv = { ...process.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  for (const variable of listAt(exec, "env")) {
    env[textAt(variable, "name") ?? ""] = textAt(variable, "value") ?? "";
  }
  const given = exec["args"];
  const args = Array.isArray(given) ? given.map(String) : [];
  const stdout = await run(command, args, env);
  if (stdout !== undefined) return decode(command, apiVersion, stdout);
  const eks = eksTokenRequest(command, args);
  if (eks) return eksToken(eks, env);
  const hint = textAt(exec, "installHint");
  throw new Error(
    `the kubeconfig's credential plugin "${command}" is not installed or not on PATH${hint === undefined ? "" : `\n${hint}`}`,
  );
}

function shown(cluster: Json, server: URL): Json {
  return {
    server: server.href.replace(/\/$/, ""),
    "tls-server-name": cluster["tls-server-name"],
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"],
    "certificate-authority-data": cluster["certificate-authority-data"],
    config: listAt(cluster, "extensions").find(({ name }) => name === "client.authentication.k8s.io/exec")?.[
      "extension"
    ],
  };
}

/** Returns the program's stdout; undefined if there is no such program. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: TIMEOUT_MS, maxBuffer: 1 << 20, encoding: "utf8" as const };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const { code, killed } = error;
      if (String(code) === "ENOENT") return resolve(undefined);
      const how = killed ? `did not end within ${TIMEOUT_MS / 1000} seconds` : `ended with ${code ?? "a signal"}`;
      const words = stderr.trim().split("\n").slice(-3).join("\n");
      reject(new Error(`the kubeconfig's credential plugin "${command}" ${how}${words === "" ? "" : `: ${words}`}`));
    });
    child.stdin?.end();
  });
}

function decode(command: string, apiVersion: string, stdout: string): ExecCredential {
  const answer = jsonIn(stdout); // Errors must not quote it: it may contain part of a secret.
  const status = isObject(answer) ? answer["status"] : undefined;
  const expected = `expected JSON of kind ExecCredential, ${apiVersion}, with status.token or a client certificate`;
  if (textAt(answer, "kind") !== "ExecCredential" || !isObject(status)) {
    throw new Error(`the kubeconfig's credential plugin "${command}" printed no credential; ${expected}`);
  }
  const token = textAt(status, "token");
  const cert = textAt(status, "clientCertificateData");
  const key = textAt(status, "clientKeyData");
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw new Error(`the kubeconfig's credential plugin "${command}" printed an empty credential; ${expected}`);
  }
  const expires = Date.parse(textAt(status, "expirationTimestamp") ?? "");
  return { token, cert, key, expires: Number.isNaN(expires) ? undefined : expires };
}

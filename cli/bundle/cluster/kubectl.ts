/** Selects the cluster and namespace as kubectl does. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import { dump, load, YAMLException } from "js-yaml";
import type { Client } from "../../../kubernetes/client/client";
import { connect } from "../../../kubernetes/connect/connect";
import { listAt, textAt } from "../../../kubernetes/objects/objects";
import { Failure, messageOf, UsageError } from "../../../foundation/errors";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { PATIENCE_MS, stackKubeconfig } from "./cluster";
import { isLabel } from "../../../kubernetes/objects/names";
import type { Json } from "../../../foundation/json/isObject";

export interface KubectlOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Use the cluster of this platform stack. */
  readonly stack?: string;
  readonly namespace?: string;
  readonly as?: string;
}

interface Kubectl {
  readonly client: Client;
  readonly namespace: string;
}

/**
 * Uses `--kubeconfig`, else the variable KUBECONFIG, else `~/.kube/config`; the context's namespace, else `default`.
 */
export async function kubectl(
  workspace: Workspace,
  options: KubectlOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Kubectl> {
  const { kubeconfig, context, stack, as } = options;
  // Another text could change the path of the request.
  if (options.namespace !== undefined && !isLabel(options.namespace))
    throw new UsageError(`--namespace: found ${JSON.stringify(options.namespace)}; expected the name of a namespace`);
  if (kubeconfig !== undefined && stack !== undefined) {
    throw new UsageError("found --kubeconfig and --stack; expected one of them");
  }
  const config =
    stack === undefined
      ? await merged(filesOf(kubeconfig, env))
      : parse(await stackKubeconfig(workspace, stack), `the stack ${stack}`);
  const chosen = listAt(config, "contexts").find((one) => one["name"] === (context ?? config["current-context"]));
  try {
    const client = connect(dump(config), context, { patienceMs: PATIENCE_MS });
    return {
      client: as === undefined ? client : client.as({ user: as }),
      namespace: options.namespace ?? textAt(chosen, "context", "namespace") ?? "default",
    };
  } catch (error) {
    throw new Failure(messageOf(error));
  }
}

function filesOf(kubeconfig: string | undefined, env: NodeJS.ProcessEnv): string[] {
  if (kubeconfig !== undefined) return [kubeconfig];
  const named = (env["KUBECONFIG"] ?? "").split(path.delimiter).filter((file) => file !== "");
  if (named.length === 0) return [path.join(homedir(), ".kube", "config")];
  // As in kubectl, missing files in the list are ignored.
  const there = named.filter((file) => existsSync(file));
  return there.length > 0 ? there : named.slice(0, 1);
}

/** Of entries with the same name the first one wins. */
async function merged(files: readonly string[]): Promise<Json> {
  const configs = await Promise.all(files.map(read));
  const [first = {}] = configs;
  const all = (key: string): Json[] => [
    ...new Map(
      configs
        .flatMap((config) => listAt(config, key))
        .toReversed()
        .map((one) => [one["name"], one]),
    ).values(),
  ];
  const current = configs.map((config) => textAt(config, "current-context")).find((name) => name !== undefined);
  return {
    ...first,
    "current-context": current ?? "",
    clusters: all("clusters"),
    contexts: all("contexts"),
    users: all("users"),
  };
}

async function read(file: string): Promise<Json> {
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure(`the kubeconfig ${file} can't be read: ${messageOf(cause)}; give --kubeconfig or --stack`);
  });
  return withAbsolutePaths(parse(text, file), path.dirname(path.resolve(file)));
}

function parse(text: string, from: string): Json {
  try {
    const config: unknown = load(text);
    if (typeof config === "object" && config !== null) return config as Json;
  } catch (error) {
    // The error message would quote the file, which may contain secrets.
    if (!(error instanceof YAMLException)) throw error;
  }
  throw new Failure(`${from} is no kubeconfig: expected YAML with clusters, contexts and users`);
}

const FILES = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** Paths in a kubeconfig are relative to its folder. */
function withAbsolutePaths(config: Json, folder: string): Json {
  const absolute = (entry: unknown): unknown =>
    typeof entry !== "object" || entry === null
      ? entry
      : Object.fromEntries(
          Object.entries(entry).map(([key, value]) => [
            key,
            FILES.includes(key) && typeof value === "string" && value !== ""
              ? path.resolve(folder, value)
              : (value as unknown),
          ]),
        );
  const each = (key: string, inner: string): Json[] =>
    listAt(config, key).map((one) => ({ ...one, [inner]: absolute(one[inner]) }));
  return { ...config, clusters: each("clusters", "cluster"), users: each("users", "user") };
}

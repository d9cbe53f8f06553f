/** Selects one context of a kubeconfig. Error messages contain no secrets. */

import { load, YAMLException } from "js-yaml";
import { isObject, type Json } from "./json/isObject";
import { didYouMean } from "./text/nearest";

/** A context with the cluster and the user that it references. */
interface ChosenContext {
  readonly name: string;
  readonly context: Json;
  readonly clusterName: string;
  readonly cluster: Json;
  readonly server: URL;
  readonly userName?: string;
  /** Empty if the context names no user. */
  readonly user: Json;
}

/** A fault in a kubeconfig. `at` states whether the text or the requested context is invalid. */
export class KubeconfigFault extends Error {
  override readonly name = "KubeconfigFault";

  constructor(
    readonly found: string,
    readonly expected: string,
    readonly at: "kubeconfig" | "context" = "kubeconfig",
    readonly hint?: string,
  ) {
    const where = at === "context" ? "context of the kubeconfig" : "kubeconfig";
    super(`${where}: found ${found}; expected ${expected}${hint === undefined ? "" : `; ${hint}?`}`);
  }
}

/** Returns the context named `wanted`, or the current context. Throws {@link KubeconfigFault}. */
export function chooseContext(yaml: string, wanted?: string): ChosenContext {
  const config = parse(yaml);
  const name = contextName(config, wanted);
  const context = named(config, "contexts", name, "context") ?? {};
  const clusterName = textOf(context["cluster"]);
  if (clusterName === undefined) {
    throw new KubeconfigFault(`a context ${name} without cluster`, "a kubeconfig whose context names its cluster");
  }
  const cluster = named(config, "clusters", clusterName, "cluster");
  if (cluster === undefined) {
    throw new KubeconfigFault(
      `a context ${name} whose cluster ${clusterName} is not in the kubeconfig`,
      "a kubeconfig with that cluster",
    );
  }
  const userName = textOf(context["user"]);
  const user = userName === undefined ? {} : named(config, "users", userName, "user");
  if (user === undefined) {
    throw new KubeconfigFault(`a context ${name} whose user is not in the kubeconfig`, "a kubeconfig with that user");
  }
  return { name, context, clusterName, cluster, server: serverOf(cluster, clusterName), userName, user };
}

function parse(yaml: string): Json {
  let document: unknown;
  try {
    document = load(yaml);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // The message of the exception quotes the text, which may contain a secret.
    const line = error.mark === undefined ? "" : ` (line ${error.mark.line + 1})`;
    throw new KubeconfigFault(`text that is not YAML${line}`, "a kubeconfig");
  }
  if (!isObject(document) || (document["kind"] !== "Config" && !Array.isArray(document["clusters"]))) {
    throw new KubeconfigFault("YAML that is no kubeconfig", "an object with clusters, contexts and users");
  }
  return document;
}

function contextName(config: Json, wanted: string | undefined): string {
  const names = entriesOf(config, "contexts").flatMap((entry) => textOf(entry["name"]) ?? []);
  const name = wanted ?? textOf(config["current-context"]);
  if (name !== undefined && names.includes(name)) return name;
  throw new KubeconfigFault(
    name === undefined ? "nothing, and no current context in the kubeconfig" : JSON.stringify(name),
    names.length === 0 ? "a kubeconfig with contexts" : `one of ${names.join(", ")}`,
    "context",
    didYouMean(name, names),
  );
}

function serverOf(cluster: Json, name: string): URL {
  const server = textOf(cluster["server"]) ?? "";
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    throw new KubeconfigFault(
      `a cluster ${name} without server URL`,
      "a kubeconfig whose cluster has a server URL, such as https://host:port",
    );
  }
  if (textOf(cluster["proxy-url"]) !== undefined) {
    throw new KubeconfigFault(
      `a cluster ${name} with a proxy-url, which is not supported`,
      "a server URL that can be reached directly, such as that of a tunnel",
    );
  }
  return new URL(server);
}

function entriesOf(config: Json, list: string): Json[] {
  const entries = config[list];
  return Array.isArray(entries) ? (entries as unknown[]).filter(isObject) : [];
}

function named(config: Json, list: string, name: string, key: string): Json | undefined {
  const value = entriesOf(config, list).find((entry) => entry["name"] === name)?.[key];
  return isObject(value) ? value : undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

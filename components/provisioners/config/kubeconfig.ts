import { dirname, isAbsolute, join } from "node:path";
import { dump, load, YAMLException } from "js-yaml";
import { didYouMean } from "../../../foundation/text/nearest";
import { tryRead, type Files } from "../../../foundation/schema/files";

/** One way into one cluster. */
export interface ClusterAccess {
  /** Kubeconfig (YAML text) with this one context and no reference to files; a secret. Left out: in-cluster. */
  readonly kubeconfig?: string;
  /** The context, when there is a kubeconfig. */
  readonly context?: string;
  /** Server URL, or `in-cluster`: the address of the cluster. */
  readonly server: string;
}

/** What is wrong with a kubeconfig; `at` says whether with its text or with the chosen context. */
export interface KubeconfigFault {
  readonly at: "kubeconfig" | "context";
  readonly found: string;
  readonly expected: string;
  readonly hint?: string;
}

export interface KubeconfigSource {
  readonly text: string;
  /** Path of the file, where it comes from one: files that it names are relative to its folder. */
  readonly path?: string;
  readonly context?: string;
}

type Fields = Record<string, unknown>;

const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

class Refused extends Error {
  constructor(readonly fault: KubeconfigFault) {
    super(fault.found);
  }
}

const refuse = (found: string, expected: string): never => {
  throw new Refused({ at: "kubeconfig", found, expected });
};

/**
 * Reads a kubeconfig, keeps what the chosen context needs, and puts the certificates and tokens that it names as
 * files into it, so that the result works anywhere. No message says anything of its secrets.
 */
export function readKubeconfig(source: KubeconfigSource, files: Files): ClusterAccess | { fault: KubeconfigFault } {
  try {
    return choose(parse(source.text), source, files);
  } catch (error) {
    if (error instanceof Refused) return { fault: error.fault };
    throw error;
  }
}

function parse(yaml: string): Fields {
  let document: unknown;
  try {
    document = load(yaml);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // The exception's own message quotes the text, which may be a secret.
    const line = error.mark === undefined ? "" : ` (line ${error.mark.line + 1})`;
    refuse(`text that is not YAML${line}`, "a kubeconfig");
  }
  const config = fields(document);
  if (config["kind"] !== "Config" && !Array.isArray(config["clusters"])) {
    refuse("YAML that is no kubeconfig", "an object with clusters, contexts and users");
  }
  return config;
}

function named(config: Fields, list: string, name: string): Fields | undefined {
  const entries = Array.isArray(config[list]) ? (config[list] as unknown[]) : [];
  return entries.map(fields).find((entry) => entry["name"] === name);
}

function contextName(config: Fields, wanted: string | undefined): string {
  const entries = Array.isArray(config["contexts"]) ? (config["contexts"] as unknown[]) : [];
  const names = entries.flatMap((entry) => text(fields(entry)["name"]) ?? []);
  const name = wanted ?? text(config["current-context"]);
  if (name !== undefined && names.includes(name)) return name;
  const hint = didYouMean(name, names);
  throw new Refused({
    at: "context",
    found: name === undefined ? "nothing, and no current context in the kubeconfig" : JSON.stringify(name),
    expected: names.length === 0 ? "a kubeconfig with contexts" : `one of ${names.join(", ")}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

function choose(config: Fields, source: KubeconfigSource, files: Files): ClusterAccess {
  const name = contextName(config, source.context);
  const context = fields(named(config, "contexts", name)?.["context"]);
  const clusterName =
    text(context["cluster"]) ??
    refuse(`a context ${name} without cluster`, "a kubeconfig whose context names its cluster");
  const cluster = fields(named(config, "clusters", clusterName)?.["cluster"]);
  const server = text(cluster["server"]) ?? "";
  if (!URL.canParse(server))
    refuse(`a cluster ${clusterName} without server URL`, "a kubeconfig whose cluster has a server URL");
  const userName = text(context["user"]);
  const user = userName === undefined ? undefined : named(config, "users", userName)?.["user"];
  if (userName !== undefined && user === undefined)
    refuse(`a context ${name} whose user is not in the kubeconfig`, "a kubeconfig with that user");
  const embed = embedder(source, files);
  const kept = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context }],
    clusters: [
      { name: clusterName, cluster: embed(cluster, { "certificate-authority": "certificate-authority-data" }) },
    ],
    users:
      userName === undefined ? [] : [{ name: userName, user: withCommand(embed(fields(user), USER_FILES), source) }],
  };
  return { kubeconfig: dump(kept, { lineWidth: -1 }), context: name, server: new URL(server).href.replace(/\/$/, "") };
}

const USER_FILES = {
  "client-certificate": "client-certificate-data",
  "client-key": "client-key-data",
  tokenFile: "token",
};

const beside = (path: string, source: KubeconfigSource): string =>
  isAbsolute(path) || source.path === undefined ? path : join(dirname(source.path), path);

/** Replaces each key that names a file by the key that holds its content. */
function embedder(source: KubeconfigSource, files: Files) {
  return (from: Fields, keys: Readonly<Record<string, string>>): Fields => {
    const result = { ...from };
    for (const [fileKey, dataKey] of Object.entries(keys)) {
      const path = text(result[fileKey]);
      delete result[fileKey];
      if (path === undefined || text(result[dataKey]) !== undefined) continue;
      const read = tryRead(files, beside(path, source));
      if ("trouble" in read)
        return refuse(
          `a kubeconfig whose ${fileKey} ${JSON.stringify(path)} is ${read.trouble}`,
          "a file that can be read",
        );
      result[dataKey] = dataKey === "token" ? read.bytes.toString("utf8").trim() : read.bytes.toString("base64");
    }
    return result;
  };
}

/** A credential command with a relative path is meant relative to the kubeconfig, which will be gone. */
function withCommand(user: Fields, source: KubeconfigSource): Fields {
  const exec = fields(user["exec"]);
  const command = text(exec["command"]);
  if (command === undefined || !command.includes("/")) return user;
  return { ...user, exec: { ...exec, command: beside(command, source) } };
}

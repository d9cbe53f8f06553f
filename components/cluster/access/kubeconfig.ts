import { dirname, isAbsolute, join } from "node:path";
import { dump } from "js-yaml";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { chooseContext, KubeconfigFault } from "../../../foundation/kubeconfig";
import { tryRead, type Files } from "../../../foundation/schema/files";
import { asText } from "../../../foundation/json/scalars";

/** Access to one cluster. */
export interface ClusterAccess {
  /** Kubeconfig (YAML text) with a single context and no references to files; a secret. Default: in-cluster. */
  readonly kubeconfig?: string;
  /** Name of the context, if there is a kubeconfig. */
  readonly context?: string;
  /** Server URL or `in-cluster`. Identifies the cluster in the config. */
  readonly server: string;
}

interface KubeconfigSource {
  readonly text: string;
  /** Path of the file, if it comes from one. Files that it references are relative to its folder. */
  readonly path?: string;
  readonly context?: string;
}

/**
 * Reads a kubeconfig and reduces it to the chosen context. Embeds the certificates and tokens that it references as
 * files, so that the result works on any machine. Error messages contain no secrets.
 */
export function readKubeconfig(source: KubeconfigSource, files: Files): ClusterAccess | { fault: KubeconfigFault } {
  try {
    return choose(source, files);
  } catch (error) {
    if (error instanceof KubeconfigFault) return { fault: error };
    throw error;
  }
}

function choose(source: KubeconfigSource, files: Files): ClusterAccess {
  const { name, context, clusterName, cluster, server, userName, user } = chooseContext(source.text, source.context);
  const embed = embedder(source, files);
  const kept = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context }],
    clusters: [
      { name: clusterName, cluster: embed(cluster, { "certificate-authority": "certificate-authority-data" }) },
    ],
    users: userName === undefined ? [] : [{ name: userName, user: withCommand(embed(user, USER_FILES), source) }],
  };
  return { kubeconfig: dump(kept, { lineWidth: -1 }), context: name, server: server.href.replace(/\/$/, "") };
}

const USER_FILES = {
  "client-certificate": "client-certificate-data",
  "client-key": "client-key-data",
  tokenFile: "token",
};

const beside = (path: string, source: KubeconfigSource): string =>
  isAbsolute(path) || source.path === undefined ? path : join(dirname(source.path), path);

/** Replaces each key that references a file with the key that holds its content. */
function embedder(source: KubeconfigSource, files: Files) {
  return (from: Json, keys: Readonly<Record<string, string>>): Json => {
    const result = { ...from };
    for (const [fileKey, dataKey] of Object.entries(keys)) {
      const path = asText(result[fileKey]);
      delete result[fileKey];
      if (path === undefined || asText(result[dataKey]) !== undefined) continue;
      const read = tryRead(files, beside(path, source));
      if ("trouble" in read) {
        throw new KubeconfigFault(
          `a kubeconfig whose ${fileKey} ${JSON.stringify(path)} is ${read.trouble}`,
          "a file that can be read",
        );
      }
      result[dataKey] = dataKey === "token" ? read.bytes.toString("utf8").trim() : read.bytes.toString("base64");
    }
    return result;
  };
}

/** Resolves a relative credential command, because the result has no folder of its own. */
function withCommand(user: Json, source: KubeconfigSource): Json {
  const exec = isObject(user["exec"]) ? user["exec"] : {};
  const command = asText(exec["command"]);
  if (command === undefined || !command.includes("/")) return user;
  return { ...user, exec: { ...exec, command: beside(command, source) } };
}

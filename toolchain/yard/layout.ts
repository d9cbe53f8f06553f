import { createHash } from "node:crypto";
import * as path from "node:path";

/** Paths of all parts of a yard, in one folder: `.yard` of a checkout, except in tests. */
export interface Layout {
  readonly directory: string;
  /** Ports and the database's password; readable only by its owner, like all files with secrets here. */
  readonly record: string;
  readonly lock: string;
  readonly kubeconfig: string;
  /** kubectl's discovery cache; its default location is next to the user's own kubeconfig. */
  readonly kubectlCache: string;
  readonly ledgerUrl: string;
  readonly environment: string;
  /** Passphrase that encrypts secrets in Pulumi's stack files and state. */
  readonly passphrase: string;
  /** Name of the cluster, unique to this folder. */
  readonly clusterName: string;
  /** kwokctl's working folder. */
  readonly clusterHome: string;
  /** Path for kwokctl: the folder itself, or a link if kwokctl would misread its name. */
  readonly clusterAlias: string;
  /** The cluster's own folder in `clusterHome`. */
  readonly cluster: string;
  readonly clusterConfig: string;
  /** Written when the cluster with all its parts is ready: a cluster without it is incomplete. */
  readonly clusterDone: string;
  readonly postgres: string;
  readonly logs: string;
  readonly pulumiHome: string;
  /** A second control plane, for the clusters of the Gardener double's Shoots. */
  readonly shoots: string;
  /** The node whose pods run as processes. */
  readonly node: string;
  /** Pulumi's state, as files. */
  readonly state: string;
}

/** kwokctl parses paths like a shell: it splits at spaces, and expands variables and quotes. */
function isPlain(file: string): boolean {
  return /^[\w./@%+=:,-]+$/.test(file);
}

export function layoutOf(directory: string): Layout {
  const at = (...parts: string[]): string => path.join(directory, ...parts);
  const clusterName = `yard-${createHash("sha256").update(directory).digest("hex").slice(0, 10)}`;
  const clusterAlias = isPlain(directory) ? at("cluster") : `/tmp/stackyard-${clusterName}`;
  return {
    directory,
    record: at("yard.json"),
    lock: at("lock"),
    kubeconfig: at("kubeconfig"),
    kubectlCache: at("kubectl"),
    ledgerUrl: at("ledger-url"),
    environment: at("env"),
    passphrase: at("passphrase"),
    clusterName,
    clusterHome: at("cluster"),
    clusterAlias,
    cluster: path.join(clusterAlias, "clusters", clusterName),
    clusterConfig: path.join(clusterAlias, "kwokctl.json"),
    clusterDone: at("cluster", "done"),
    postgres: at("postgres"),
    logs: at("logs"),
    pulumiHome: at("pulumi"),
    shoots: at("shoots"),
    node: at("node"),
    state: at("state"),
  };
}

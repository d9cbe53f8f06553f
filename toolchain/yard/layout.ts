import { createHash } from "node:crypto";
import * as path from "node:path";

/** Where everything of one yard lies. All of it is below one folder, `.yard` of a checkout unless a test says otherwise. */
export interface Layout {
  readonly directory: string;
  /** Ports and the database's password; readable by its owner only, like all files here that hold a secret. */
  readonly record: string;
  readonly lock: string;
  readonly kubeconfig: string;
  /** What kubectl remembers of the API; by default it would do so beside the user's own kubeconfig. */
  readonly kubectlCache: string;
  readonly ledgerUrl: string;
  readonly environment: string;
  /** Encrypts secrets in Pulumi's stack files and state. */
  readonly passphrase: string;
  /** Name of the cluster, unique to this folder. */
  readonly clusterName: string;
  /** kwokctl's working folder. */
  readonly clusterHome: string;
  /** The same under the name that kwokctl is given: itself, or a link to it when its name would be misread. */
  readonly clusterAlias: string;
  /** The cluster's own folder in there. */
  readonly cluster: string;
  readonly clusterConfig: string;
  /** Written when the cluster and everything installed in it is ready: a cluster without it is incomplete. */
  readonly clusterDone: string;
  readonly postgres: string;
  readonly logs: string;
  readonly pulumiHome: string;
  /** A second control plane, for the clusters of the Shoots of a Gardener that is played. */
  readonly shoots: string;
  /** Pulumi's state, as files. */
  readonly state: string;
}

/** kwokctl reads paths like a shell does: cut at spaces, with variables and quotes. */
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
    state: at("state"),
  };
}

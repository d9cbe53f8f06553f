/** The function `readReleases`: what in a cluster prevents Helm releases from being installed. */

import type { FunctionHandler } from "../framework/function";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { unlessForbidden } from "../../kubernetes/client/lookUp";
import type { KubeObject } from "../../kubernetes/objects/objects";

export interface ReleaseName {
  readonly name: string;
  readonly namespace: string;
  /** Its cluster-scoped objects. */
  readonly objects: readonly { readonly kind: string; readonly name: string }[];
  /** The APIService that it registers. */
  readonly apiService?: string;
}

export interface ReleasesQuestion {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly releases: readonly ReleaseName[];
  /**
   * Current releases of the stack, as namespace/name. They are ignored: the update deletes their objects before another
   * release needs the names.
   */
  readonly own?: readonly string[];
}

export interface ReleasesAnswer {
  /** For each release, in order: the conflict, or an empty text. */
  readonly found: readonly string[];
  /** Why the cluster did not answer. */
  readonly trouble?: string;
}

/** Short, because Helm would report the conflict anyway. */
const PATIENCE_MS = 2_000;

/**
 * If the cluster does not answer, returns the reason instead of failing. Without the right to list objects, no conflict
 * is reported.
 */
export const readReleases: FunctionHandler<ReleasesQuestion, ReleasesAnswer> = async (
  { signal },
  { kubeconfig, context, releases, own = [] },
) => {
  try {
    const client = connect(kubeconfig, context, { signal, patienceMs: PATIENCE_MS });
    const listed = await Promise.all(CLUSTER_WIDE.map((kind) => unlessForbidden(installedOf(client, kind))));
    const others = listed.flatMap((objects) => objects ?? []).filter((object) => !own.includes(ownerOf(object)));
    const found = releases.map(async (release) =>
      !own.includes(`${release.namespace}/${release.name}`) && (await isInstalled(client, release))
        ? `a Helm release ${release.name} in namespace ${release.namespace}`
        : (takenName(release, others) ?? (await takenApi(client, release)) ?? ""),
    );
    return { found: await Promise.all(found) };
  } catch (error) {
    signal.throwIfAborted();
    return { found: [], trouble: error instanceof Error ? error.message : String(error) };
  }
};

/** Cluster-scoped kinds in the platform's charts, whatever their values. */
const CLUSTER_WIDE = [
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding" },
  { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass" },
];

/** Lists the objects that Helm installed, with their kind, which metadata lists lack. */
async function installedOf(client: Client, type: { apiVersion: string; kind: string }): Promise<KubeObject[]> {
  const label = "app.kubernetes.io/managed-by=Helm";
  return (await client.list(type, { label, metadataOnly: true })).map((object) => ({ ...object, ...type }));
}

/** Helm keeps a Secret for each revision. */
async function isInstalled(client: Client, { name, namespace }: ReleaseName): Promise<boolean> {
  const revisions = client.list(
    { apiVersion: "v1", kind: "Secret", namespace },
    { label: `owner=helm,name=${name}`, metadataOnly: true, most: 1 },
  );
  return ((await unlessForbidden(revisions)) ?? []).length > 0;
}

/** Returns the conflict with an existing APIService, whoever registered it. */
async function takenApi(client: Client, { apiService }: ReleaseName): Promise<string | undefined> {
  if (apiService === undefined) return undefined;
  const ref = { apiVersion: "apiregistration.k8s.io/v1", kind: "APIService", name: apiService };
  const found = await unlessForbidden(client.get(ref));
  if (found === undefined) return undefined;
  const { name, namespace } = (found["spec"] as { service?: { name?: string; namespace?: string } }).service ?? {};
  return `APIService ${apiService} of Service ${namespace}/${name}`;
}

/** Returns the release of an object, as namespace/name. */
const ownerOf = ({ metadata: { annotations = {} } }: KubeObject): string =>
  `${annotations["meta.helm.sh/release-namespace"]}/${annotations["meta.helm.sh/release-name"]}`;

/**
 * Returns the conflict of a release with existing cluster-scoped objects. Charts name these by their release, so a
 * release with the same name in another namespace has the same objects; values may also set names. Pure.
 */
export function takenName(
  { name, namespace, objects: own }: ReleaseName,
  others: readonly KubeObject[],
): string | undefined {
  for (const { kind, metadata } of others) {
    const { "meta.helm.sh/release-name": release, "meta.helm.sh/release-namespace": place } =
      metadata.annotations ?? {};
    if (place === undefined || (place === namespace && release === name)) continue;
    const isSame = own.some((object) => object.kind === kind && object.name === metadata.name);
    const isOfName = release === name && metadata.name.startsWith(name);
    if (isSame || isOfName) return `${kind} ${metadata.name} of the Helm release ${release} in namespace ${place}`;
  }
  return undefined;
}

/** The function `readReleases`: what in a cluster prevents Helm releases from being installed. */

import { isPreviewed } from "../../foundation/pulumi/adoption";
import { recordOn } from "../../kubernetes/owners/annotations";
import { ownerText } from "../../kubernetes/owners/judge";
import { offerTo, type StackName } from "../../kubernetes/owners/record";
import { recordRef } from "../../kubernetes/owners/store";
import type { FunctionHandler } from "../framework/function";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { unlessForbidden } from "../../kubernetes/client/lookUp";
import { revisionsOf } from "../../kubernetes/drift/helmRevisions";
import type { KubeObject } from "../../kubernetes/objects/objects";

export interface ReleaseName {
  readonly name: string;
  readonly namespace: string;
  /** Its cluster-scoped objects. */
  readonly objects: readonly { readonly kind: string; readonly name: string }[];
  /** The APIService that it registers. */
  readonly apiService?: string;
  /** The set that records its owner, with its owner id if it is in the state of this stack. */
  readonly owner: { readonly namespace: string; readonly name: string; readonly id?: string };
}

export interface ReleasesQuestion {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** `<project>/<stack>` that asks. */
  readonly stack: string;
  readonly releases: readonly ReleaseName[];
  /**
   * Current releases of the stack, as namespace/name. They are ignored: the update deletes their objects before another
   * release needs the names.
   */
  readonly own?: readonly string[];
  /** Those of `own` that stay, with the revision in the state. */
  readonly installed?: readonly InstalledRelease[];
}

export interface InstalledRelease {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
}

export interface ReleasesAnswer {
  /** For each release, in order: the conflict, or an empty text. */
  readonly found: readonly string[];
  /** Those that are deployed and belong to this stack or are offered to it, as namespace/name. */
  readonly offered?: readonly string[];
  /** Of each installed release, in order: its newest revision, 0 if it is gone, and the one in the state if it is not known. */
  readonly revisions?: readonly number[];
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
  { signal, backend },
  { kubeconfig, context, stack, releases, own = [], installed = [] },
) => {
  const offered: string[] = [];
  try {
    const client = connect(kubeconfig, context, { signal, patienceMs: PATIENCE_MS });
    const revisions = await Promise.all(installed.map((one) => newestOf(client, one)));
    if (releases.length === 0) return { found: [], revisions };
    const listed = await Promise.all(CLUSTER_WIDE.map((kind) => unlessForbidden(installedOf(client, kind))));
    const others = listed.flatMap((objects) => objects ?? []).filter((object) => !own.includes(releaseOf(object)));
    const found = releases.map(async (release) => {
      const place = `${release.namespace}/${release.name}`;
      const statuses = own.includes(place) ? [] : await statusesOf(client, release);
      if (statuses.length === 0) return takenName(release, others) ?? (await takenApi(client, release)) ?? "";
      const other = await obstacleOf(client, release, statuses, { stack, backend });
      if (other === undefined) offered.push(place);
      return other ?? "";
    });
    return { found: await Promise.all(found), offered, revisions };
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

/** The owner of an installed release, and how to take it over; undefined if this stack may import it. */
async function obstacleOf(
  client: Client,
  { name, namespace, owner }: ReleaseName,
  statuses: readonly string[],
  asking: StackName,
): Promise<string | undefined> {
  const object = await unlessForbidden(client.get(recordRef(owner), { metadataOnly: true }));
  const record = object && recordOn(object);
  const place = `${owner.namespace}/${owner.name}`;
  const found = `a Helm release ${name} in namespace ${namespace}`;
  if (!statuses.includes("deployed")) return `${found} with status ${statuses.at(-1)}`;
  if (record === undefined) return found;
  if (record.owner === owner.id || record.offeredTo === offerTo(asking) || isPreviewed(place, true)) return undefined;
  const adopt = `stackyard adopt ${place} --stack ${asking.stack.split("/").at(-1)}`;
  return `${found}, which belongs to ${ownerText(record)} (to take it over: ${adopt})`;
}

const statusesOf = async (client: Client, release: ReleaseName): Promise<string[]> =>
  ((await revisionsOf(client, release)) ?? []).map(({ status }) => status);

const newestOf = async (client: Client, { revision, ...release }: InstalledRelease): Promise<number> =>
  (await revisionsOf(client, release))?.reduce((most, { number }) => Math.max(most, number), 0) ?? revision;

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
const releaseOf = ({ metadata: { annotations = {} } }: KubeObject): string =>
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

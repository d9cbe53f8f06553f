import type { Client } from "../../kubernetes/client/client";
import type { IssuedKubeconfig } from "../../kubernetes/connect/shootLease";
import { NONE, textAt, versionOf, type KubeObject, type Ref } from "../../kubernetes/objects/objects";
import { LABELS, RUNTIMES } from "./kind";

/** The Secret with the kubeconfig of a Runtime, as the Kyma Infrastructure Manager writes it. */

const KEY = "config";
const MANAGED_BY = { "operator.kyma-project.io/managed-by": "infrastructure-manager" };
const CLUSTER_LABEL = "operator.kyma-project.io/cluster-name";
/** Labels of a Runtime by these groups are those of its Secret. Lifecycle Manager finds the Secret by one of them. */
const KYMA_LABEL = /^(operator\.)?kyma-project\.io\//;
const LAST_SYNC = "operator.kyma-project.io/last-sync";
const EXPIRES = "stackyard.dev/expires";
/** Part of its life after which a kubeconfig is replaced. */
const USED_PART = 0.5;

export const secretRef = (namespace: string, id: string): Ref => ({
  apiVersion: "v1",
  kind: "Secret",
  namespace,
  name: `kubeconfig-${id}`,
});

const isOf = (secret: KubeObject, uid: string): boolean =>
  (secret.metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);

function labelsOf({ metadata: { labels = {} }, ...runtime }: KubeObject, id: string): Record<string, string> {
  const own = Object.entries(labels).filter(([key]) => KYMA_LABEL.test(key));
  const shoot = {
    [LABELS.shootName]: textAt(runtime, "spec", "shoot", "name"),
    [LABELS.region]: textAt(runtime, "spec", "shoot", "region"),
    [LABELS.platformRegion]: textAt(runtime, "spec", "shoot", "platformRegion"),
  };
  const known = Object.entries(shoot).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return { ...Object.fromEntries([...own, ...known]), ...MANAGED_BY, [CLUSTER_LABEL]: id };
}

const timeIn = (secret: KubeObject, annotation: string): number =>
  Date.parse(secret.metadata.annotations?.[annotation] ?? "");

/** When a Secret needs another kubeconfig, in milliseconds since 1970; 0 if it has none. */
export function dueAt(secret: KubeObject): number {
  const [written, expires] = [timeIn(secret, LAST_SYNC), timeIn(secret, EXPIRES)];
  const has = textAt(secret, "data", KEY) !== undefined && !Number.isNaN(written) && !Number.isNaN(expires);
  return has ? written + USED_PART * (expires - written) : 0;
}

export interface KubeconfigPlace {
  readonly client: Client;
  readonly namespace: string;
  /** Asks Gardener for a kubeconfig. */
  readonly issue: () => Promise<IssuedKubeconfig>;
  readonly now?: () => number;
}

/**
 * Writes the Secret if it is missing, has other labels, or a kubeconfig that has to be replaced. Returns the time in
 * milliseconds until it has to be looked at again. Throws if it belongs to something else, or Gardener issues none.
 */
export async function keepKubeconfig(
  runtime: KubeObject,
  id: string,
  { client, namespace, issue, now = Date.now }: KubeconfigPlace,
): Promise<number> {
  const ref = secretRef(namespace, id);
  const { name, uid = "" } = runtime.metadata;
  const live = await client.get(ref);
  if (live && !isOf(live, uid)) {
    throw new Error(
      `Secret ${namespace}/${ref.name} exists and does not belong to this Runtime; delete it if nothing needs it`,
    );
  }
  const labels = labelsOf(runtime, id);
  const due = live ? dueAt(live) : 0;
  const isLabeled = Object.entries(labels).every(([key, value]) => live?.metadata.labels?.[key] === value);
  if (live && due > now() && isLabeled) return due - now();
  const content = live && due > now() ? contentOf(live) : contentOfIssued(await issue(), now());
  const { apiVersion, kind } = ref;
  const ownerReferences = [{ ...RUNTIMES, name, uid }];
  const metadata = { namespace, name: ref.name, labels, annotations: content.annotations, ownerReferences };
  // Of this version, so that a Secret that somebody else has created or changed meanwhile is a conflict.
  const version = live ? versionOf(live) : NONE;
  return (
    dueAt(await client.apply({ apiVersion, kind, metadata: { ...metadata, ...version }, data: content.data })) - now()
  );
}

interface Content {
  readonly annotations: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, string>>;
}

const contentOf = ({ metadata: { annotations = {} }, ...secret }: KubeObject): Content => ({
  annotations: { [LAST_SYNC]: annotations[LAST_SYNC] ?? "", [EXPIRES]: annotations[EXPIRES] ?? "" },
  data: { [KEY]: textAt(secret, "data", KEY) ?? "" },
});

const contentOfIssued = ({ kubeconfig, expires }: IssuedKubeconfig, now: number): Content => ({
  annotations: { [LAST_SYNC]: timeText(now), [EXPIRES]: timeText(expires) },
  data: { [KEY]: Buffer.from(kubeconfig).toString("base64") },
});

const timeText = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");

/** Deletes the Secret of a Runtime; that of anything else stays. */
export async function removeKubeconfig(
  runtime: KubeObject,
  id: string,
  { client, namespace }: Pick<KubeconfigPlace, "client" | "namespace">,
): Promise<void> {
  const live = await client.get(secretRef(namespace, id));
  if (live && isOf(live, runtime.metadata.uid ?? "")) await client.remove(secretRef(namespace, id), versionOf(live));
}

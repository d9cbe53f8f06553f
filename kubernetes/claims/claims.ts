/** Finds the claims of a StatefulSet and their sizes. */

import { at, listAt, numberAt, textAt, type KubeObject, type Ref } from "../objects/objects";
import type { Client } from "../client/client";
import { selectorText } from "../objects/selector";
import { bytesOf } from "../objects/bytes";

export const CLAIM = { apiVersion: "v1", kind: "PersistentVolumeClaim" } as const;

export const isStatefulSet = ({ apiVersion, kind }: Ref | KubeObject): boolean =>
  kind === "StatefulSet" && apiVersion.startsWith("apps/");

export const isClaim = ({ apiVersion, kind }: Ref | KubeObject): boolean =>
  kind === "PersistentVolumeClaim" && apiVersion === "v1";

/** Names of a StatefulSet's claim templates. */
export const templateNames = (set: KubeObject): string[] =>
  listAt(set, "spec", "volumeClaimTemplates").flatMap((template) => textAt(template, "metadata", "name") ?? []);

/** The template of a claim: `data` for `data-acme-0` of the set acme. Undefined if no template matches. */
export function templateOf(claim: string, set: string, templates: readonly string[]): string | undefined {
  return templates.find((template) => {
    const prefix = `${template}-${set}-`;
    return claim.startsWith(prefix) && /^\d+$/.test(claim.slice(prefix.length));
  });
}

/** Ordinal of a pod or of its claim: 0 for `data-acme-0`. */
export const ordinalOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? NaN);

/** The range of ordinals of a StatefulSet's pods. */
export function ordinals(set: KubeObject): { readonly first: number; readonly end: number } {
  const first = numberAt(set, "spec", "ordinals", "start") ?? 0;
  return { first, end: first + (numberAt(set, "spec", "replicas") ?? 1) };
}

/** Maximum number of claims per template to read by name. */
const BY_NAME = 100;

/**
 * The claims of one StatefulSet, including those beyond its replicas. `versions` are versions of the same set; the
 * first one is the live or former one. Finds claims by the selector's labels. Claims of current pods are also read by
 * name, because claims keep the labels of the selector that they were created with.
 */
export async function claimsOf(client: Client, versions: readonly KubeObject[]): Promise<KubeObject[]> {
  const templates = [...new Set(versions.flatMap(templateNames))];
  const [set] = versions;
  if (!set || templates.length === 0) return [];
  const { namespace, name } = set.metadata;
  const label = selectorText({ matchLabels: at(set, "spec", "selector", "matchLabels") });
  const listed = await client.list({ ...CLAIM, namespace }, { label });
  const found = listed.filter(({ metadata }) => templateOf(metadata.name, name, templates) !== undefined);
  if (set.metadata.uid === undefined) return found;
  const known = new Set(found.map(({ metadata }) => metadata.name));
  const { first, end } = ordinals(set);
  const names = templates.flatMap((template) =>
    Array.from({ length: Math.min(end - first, BY_NAME) }, (_, index) => `${template}-${name}-${first + index}`),
  );
  const missing = names.filter((one) => !known.has(one));
  const others = await Promise.all(missing.map((one) => client.get({ ...CLAIM, namespace, name: one })));
  return [...found, ...others.filter((one) => one !== undefined)];
}

/** Requested bytes. */
export const requestedBytes = (claim: unknown): number | undefined =>
  bytesOf(at(claim, "spec", "resources", "requests", "storage"));

/** Actual bytes of a bound claim. */
export const capacityOf = (claim: unknown): number | undefined =>
  textAt(claim, "status", "phase") === "Bound" ? bytesOf(at(claim, "status", "capacity", "storage")) : undefined;

/** Sum over bound claims; null if there are no claims and none are expected. */
export function storageBytes(claims: readonly KubeObject[], wantsAny: boolean): number | null {
  if (claims.length === 0 && !wantsAny) return null;
  return claims.reduce((sum, claim) => sum + (capacityOf(claim) ?? 0), 0);
}

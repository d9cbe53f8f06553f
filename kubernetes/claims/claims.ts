/** Which claims belong to a StatefulSet, and how large they are. */

import { at, listAt, numberAt, textAt } from "../client/objects";
import type { KubeObject, Ref } from "../client/objects";
import type { Client } from "../client/client";
import { selectorText } from "../client/selector";
import { bytesOf } from "./quantity";

export const CLAIM = { apiVersion: "v1", kind: "PersistentVolumeClaim" } as const;

export const isStatefulSet = ({ apiVersion, kind }: Ref | KubeObject): boolean =>
  kind === "StatefulSet" && apiVersion.startsWith("apps/");

export const isClaim = ({ apiVersion, kind }: Ref | KubeObject): boolean =>
  kind === "PersistentVolumeClaim" && apiVersion === "v1";

export const refOf = ({ apiVersion, kind, metadata: { namespace, name } }: KubeObject): Ref => ({
  apiVersion,
  kind,
  namespace,
  name,
});

/** Names of a StatefulSet's claim templates. */
export const templateNames = (set: KubeObject): string[] =>
  listAt(set, "spec", "volumeClaimTemplates").flatMap((template) => textAt(template, "metadata", "name") ?? []);

/** `data` of `data-acme-0`, for the set acme; undefined when the claim is not of one of its templates. */
export function templateOf(claim: string, set: string, templates: readonly string[]): string | undefined {
  return templates.find((template) => {
    const prefix = `${template}-${set}-`;
    return claim.startsWith(prefix) && /^\d+$/.test(claim.slice(prefix.length));
  });
}

/** Number of a pod or of its claim: 0 of `data-acme-0`. */
export const ordinalOf = (name: string): number => Number(/\d+$/.exec(name)?.[0] ?? NaN);

/** The numbers that a StatefulSet's pods have. */
export function ordinals(set: KubeObject): { readonly first: number; readonly end: number } {
  const first = numberAt(set, "spec", "ordinals", "start") ?? 0;
  return { first, end: first + (numberAt(set, "spec", "replicas") ?? 1) };
}

/** So many claims at most are looked for by their names. */
const BY_NAME = 100;

/**
 * The claims of one StatefulSet, those beyond its replicas too; of any of its versions, the first being one that exists
 * or was. They are found by the labels that its selector asks for; those of its pods by name as well, because claims keep
 * the labels of the selector that they were made with.
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

/** Bytes that were requested. */
export const requestOf = (claim: unknown): number | undefined =>
  bytesOf(at(claim, "spec", "resources", "requests", "storage"));

/** Bytes that a bound claim really has. */
export const capacityOf = (claim: unknown): number | undefined =>
  textAt(claim, "status", "phase") === "Bound" ? bytesOf(at(claim, "status", "capacity", "storage")) : undefined;

/** Sum over bound claims; null when there is nothing that could have a size. */
export function storageBytes(claims: readonly KubeObject[], wantsAny: boolean): number | null {
  if (claims.length === 0 && !wantsAny) return null;
  return claims.reduce((sum, claim) => sum + (capacityOf(claim) ?? 0), 0);
}

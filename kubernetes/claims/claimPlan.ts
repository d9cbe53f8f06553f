/** Plans how the claims of a set reach their requested size. Pure. */

import { at, describe, isList, textAt, refOf, type KubeObject } from "../objects/objects";
import { isClaim, isStatefulSet, requestedBytes, templateOf } from "./claims";
import { templatesOf } from "./immutable";
import { sizeText } from "../objects/bytes";
import { isObject, type Json } from "../../foundation/json/isObject";

/** A claim to expand. */
export interface Growth {
  readonly claim: KubeObject;
  readonly from: number;
  readonly to: number;
  /** The requested size as written: `80Gi`. */
  readonly quantity: string | number;
}

interface ClaimPlan {
  readonly growths: readonly Growth[];
  /** Reasons why the plan can't be carried out. */
  readonly faults: readonly string[];
  /** Messages for the user. */
  readonly notes: readonly string[];
}

/**
 * What to do with a claim that is larger than requested. `keep`: keep it. `refuse`: a smaller request than before is a
 * fault, but a size from a manual or interrupted expansion is kept. `refuse all`: that is a fault as well.
 */
export type WhenSmaller = "keep" | "refuse" | "refuse all";

/** Plans the claims of a StatefulSet. */
export function planTemplates(
  wanted: KubeObject,
  live: KubeObject | undefined,
  claims: readonly KubeObject[],
  whenSmaller: WhenSmaller = "refuse",
): ClaimPlan {
  const growths: Growth[] = [];
  const faults: string[] = [];
  const notes: string[] = [];
  const before = live ? templatesOf(live) : new Map<string, unknown>();
  for (const [template, next] of templatesOf(wanted)) {
    const asked = requestedBytes(next);
    if (asked === undefined) continue; // The API server reports an invalid size.
    const was = requestedBytes(before.get(template));
    if (was !== undefined && asked < was) {
      const what = `${describe(refOf(wanted))}, volumeClaimTemplate ${template}`;
      if (whenSmaller === "keep") notes.push(kept(what, was, asked));
      else faults.push(smaller(what, was, asked));
      if (whenSmaller !== "keep") continue;
    }
    for (const claim of claims) {
      if (templateOf(claim.metadata.name, wanted.metadata.name, [template]) === undefined) continue;
      if (claim.metadata.deletionTimestamp !== undefined) continue;
      const from = requestedBytes(claim) ?? 0;
      if (from < asked) growths.push({ claim, from, to: asked, quantity: quantityOf(wanted, template) ?? asked });
      else if (from === asked || from === was) continue;
      else if (whenSmaller === "refuse all") faults.push(smaller(describe(refOf(claim)), from, asked));
      else notes.push(larger(claim, from, asked));
    }
  }
  return { growths, faults, notes };
}

/** Plans a claim that is an object of the set. `before` is the set's previous version of it. */
export function planClaim(
  wanted: KubeObject,
  live: KubeObject | undefined,
  before: KubeObject | undefined,
  whenSmaller: WhenSmaller = "refuse",
): ClaimPlan {
  const none: ClaimPlan = { growths: [], faults: [], notes: [] };
  const asked = requestedBytes(wanted);
  const has = requestedBytes(live);
  if (asked === undefined || has === undefined || !live) return none;
  const was = requestedBytes(before) ?? asked;
  const what = describe(refOf(wanted));
  const less = asked < was || whenSmaller === "refuse all";
  if (asked < has && less && whenSmaller !== "keep") return { ...none, faults: [smaller(what, has, asked)] };
  if (asked < has && less) return { ...none, notes: [kept(what, has, asked)] };
  if (asked < has) return { ...none, notes: [larger(live, has, asked)] };
  if (asked === has) return none;
  const quantity = at(wanted, "spec", "resources", "requests", "storage") as string | number;
  return { ...none, growths: [{ claim: live, from: has, to: asked, quantity }] };
}

/** The desired object; a claim, or a StatefulSet with claim templates, with no size smaller than the live one. */
export function withoutShrinking(wanted: KubeObject, live: KubeObject): KubeObject {
  if (isClaim(wanted)) return withRequestOf(wanted, live);
  if (!isStatefulSet(wanted)) return wanted;
  const templates = at(wanted, "spec", "volumeClaimTemplates");
  if (!isList(templates)) return wanted;
  const before = at(live, "spec", "volumeClaimTemplates");
  const volumeClaimTemplates = templates.map((template) => {
    const name = textAt(template, "metadata", "name");
    const old = (isList(before) ? before : []).find((one) => textAt(one, "metadata", "name") === name);
    return isObject(template) ? withRequestOf(template, old) : template;
  });
  return { ...wanted, spec: { ...(wanted["spec"] as object), volumeClaimTemplates } };
}

/** Uses the live request if it is larger. */
function withRequestOf<T extends Json>(wanted: T, live: unknown): T {
  const [asked, has] = [requestedBytes(wanted), requestedBytes(live)];
  if (asked === undefined || has === undefined || asked >= has) return wanted;
  const spec = wanted["spec"] as { resources: { requests: object } };
  const storage = at(live, "spec", "resources", "requests", "storage");
  const resources = { ...spec.resources, requests: { ...spec.resources.requests, storage } };
  return { ...wanted, spec: { ...spec, resources } };
}

/** Why a claim can't grow. `storageClass` is undefined if it does not exist. */
export function cannotGrow({ claim, from, to }: Growth, storageClass: KubeObject | undefined): string | undefined {
  const name = textAt(claim, "spec", "storageClassName");
  const what = `${describe(refOf(claim))} has ${sizeText(from)} and can't grow to the requested ${sizeText(to)}`;
  const keep = `request ${sizeText(from)} as before`;
  if (name === undefined) return `${what}: it has no storage class, and only one can make a disk larger; ${keep}`;
  if (!storageClass) return `${what}: its storage class ${name} does not exist any more; restore it, or ${keep}`;
  if (storageClass["allowVolumeExpansion"] === true) return undefined;
  return (
    `${what}: its storage class ${name} does not allow it; set allowVolumeExpansion: true there if its driver can ` +
    `(kubectl patch storageclass ${name} -p '{"allowVolumeExpansion":true}'), or ${keep}`
  );
}

const smaller = (what: string, has: number, asked: number): string =>
  `${what}: a disk can't become smaller: it has ${sizeText(has)}, ${sizeText(asked)} was requested; ` +
  `request ${sizeText(has)} or more (a runtime: --disk-gb ${Math.ceil(has / 2 ** 30)})`;

const kept = (what: string, has: number, asked: number): string =>
  `${what}: it keeps ${sizeText(has)}; ${sizeText(asked)} was requested, and a disk can't become smaller`;

const larger = (claim: KubeObject, has: number, asked: number): string =>
  `${describe(refOf(claim))} has ${sizeText(has)}, more than the requested ${sizeText(asked)}; it keeps that size`;

function quantityOf(set: KubeObject, template: string): string | number | undefined {
  const templates = at(set, "spec", "volumeClaimTemplates");
  const found = (isList(templates) ? templates : []).find((one) => textAt(one, "metadata", "name") === template);
  const quantity = at(found, "spec", "resources", "requests", "storage");
  return typeof quantity === "string" || typeof quantity === "number" ? quantity : undefined;
}

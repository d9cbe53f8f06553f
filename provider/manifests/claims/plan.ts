/** What has to happen to the claims of a set so that they have the size that is asked for. Pure. */

import { at, describe, isList, textAt } from "../../kubernetes/objects";
import type { KubeObject } from "../../kubernetes/objects";
import { refOf, requestOf, templateOf } from "./claims";
import { templatesOf } from "./immutable";
import { sizeText } from "./quantity";

/** One claim that has to become larger. */
export interface Growth {
  readonly claim: KubeObject;
  readonly from: number;
  readonly to: number;
  /** As it was asked for: `80Gi`. */
  readonly quantity: string | number;
}

export interface ClaimPlan {
  readonly growths: readonly Growth[];
  /** Why nothing may be done. */
  readonly faults: readonly string[];
  /** What a person may want to know. */
  readonly notes: readonly string[];
}

/**
 * A StatefulSet's claims. Less than its live template asks for is refused; a claim that is larger than its template, because
 * somebody or an interrupted growth made it so, is let be.
 */
export function planTemplates(
  wanted: KubeObject,
  live: KubeObject | undefined,
  claims: readonly KubeObject[],
): ClaimPlan {
  const growths: Growth[] = [];
  const faults: string[] = [];
  const notes: string[] = [];
  const before = live ? templatesOf(live) : new Map<string, unknown>();
  for (const [template, next] of templatesOf(wanted)) {
    const asked = requestOf(next);
    if (asked === undefined) continue; // The API server says what is wrong with it.
    const was = requestOf(before.get(template));
    if (was !== undefined && asked < was) {
      faults.push(smaller(`${describe(refOf(wanted))}, volumeClaimTemplate ${template}`, was, asked));
      continue;
    }
    for (const claim of claims) {
      if (templateOf(claim.metadata.name, wanted.metadata.name, [template]) === undefined) continue;
      if (claim.metadata.deletionTimestamp !== undefined) continue;
      const from = requestOf(claim) ?? 0;
      if (from < asked) growths.push({ claim, from, to: asked, quantity: quantityOf(wanted, template) ?? asked });
      else if (from > asked) notes.push(larger(claim, from, asked));
    }
  }
  return { growths, faults, notes };
}

/** A claim that is an object of the set. `before` is what the set asked for until now. */
export function planClaim(wanted: KubeObject, live: KubeObject | undefined, before: KubeObject | undefined): ClaimPlan {
  const none: ClaimPlan = { growths: [], faults: [], notes: [] };
  const asked = requestOf(wanted);
  const has = requestOf(live);
  if (asked === undefined || has === undefined || !live) return none;
  const was = requestOf(before) ?? asked;
  if (asked < was && asked < has) return { ...none, faults: [smaller(describe(refOf(wanted)), has, asked)] };
  if (asked < has) return { ...none, notes: [larger(live, has, asked)] };
  if (asked === has) return none;
  const quantity = at(wanted, "spec", "resources", "requests", "storage") as string | number;
  return { ...none, growths: [{ claim: live, from: has, to: asked, quantity }] };
}

/** The claim as it is wanted, but never smaller than it is. */
export function neverSmaller(wanted: KubeObject, live: KubeObject): KubeObject {
  const [asked, has] = [requestOf(wanted), requestOf(live)];
  if (asked === undefined || has === undefined || asked >= has) return wanted;
  const spec = wanted["spec"] as { resources: { requests: object } };
  const storage = at(live, "spec", "resources", "requests", "storage");
  const resources = { ...spec.resources, requests: { ...spec.resources.requests, storage } };
  return { ...wanted, spec: { ...spec, resources } };
}

/** Why a claim can't grow; `storageClass` is undefined when there is none of that name. */
export function cannotGrow({ claim, from, to }: Growth, storageClass: KubeObject | undefined): string | undefined {
  const name = textAt(claim, "spec", "storageClassName");
  const what = `${describe(refOf(claim))} has ${sizeText(from)} and can't grow to the ${sizeText(to)} asked for`;
  const keep = `ask for ${sizeText(from)} as before`;
  if (name === undefined) return `${what}: it has no storage class, and only one can make a disk larger; ${keep}`;
  if (!storageClass) return `${what}: its storage class ${name} is not there any more; bring it back, or ${keep}`;
  if (storageClass["allowVolumeExpansion"] === true) return undefined;
  return (
    `${what}: its storage class ${name} does not allow it; set allowVolumeExpansion: true there if its driver can ` +
    `(kubectl patch storageclass ${name} -p '{"allowVolumeExpansion":true}'), or ${keep}`
  );
}

const smaller = (what: string, has: number, asked: number): string =>
  `${what}: a disk can't become smaller: it has ${sizeText(has)}, ${sizeText(asked)} was asked for; ask for ${sizeText(has)} or more`;

const larger = (claim: KubeObject, has: number, asked: number): string =>
  `${describe(refOf(claim))} has ${sizeText(has)}, more than the ${sizeText(asked)} asked for; it stays so`;

function quantityOf(set: KubeObject, template: string): string | number | undefined {
  const templates = at(set, "spec", "volumeClaimTemplates");
  const found = (isList(templates) ? templates : []).find((one) => textAt(one, "metadata", "name") === template);
  const quantity = at(found, "spec", "resources", "requests", "storage");
  return typeof quantity === "string" || typeof quantity === "number" ? quantity : undefined;
}

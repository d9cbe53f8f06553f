/** What CustomResourceDefinitions would break in a cluster that has others of their names. */

import type { Client } from "../../kubernetes/client";
import type { KubeObject } from "../../kubernetes/objects";
import { findingText } from "./checks";
import type { Check } from "./checks";
import { isCrd, readCrd, type Crd } from "./crd";
import { crdFaults } from "./crdFaults";
import { misfits, misfitText } from "./validate";

export interface Allowance {
  /** Findings of these are no trouble. */
  readonly checks: readonly Check[];
  /** Objects that are there and would not fit are no trouble. Default: they are. */
  readonly misfits?: boolean;
  /** How a finding is allowed, as the user would say it. */
  readonly advice: (check: Check) => string;
}

/** A line each. */
export async function crdTroubles(
  client: Client,
  objects: readonly KubeObject[],
  allowed: Allowance,
): Promise<string[]> {
  const troubles: string[] = [];
  for (const object of objects.filter(isCrd)) {
    const { apiVersion, kind, metadata } = object;
    const live = await client.get({ apiVersion, kind, name: metadata.name });
    if (!live) continue;
    const [old, next] = [readCrd(live), readCrd(object)];
    troubles.push(...crdFaults(old, next, allowed.checks).map((one) => findingText(one, allowed.advice(one.check))));
    if (allowed.misfits) continue;
    troubles.push(...misfits(old, next, await liveObjects(client, old)).map(misfitText));
  }
  return troubles;
}

async function liveObjects(client: Client, { group, kind, versions }: Crd): Promise<KubeObject[]> {
  const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
  return version ? client.list({ apiVersion: `${group}/${version.name}`, kind }) : [];
}

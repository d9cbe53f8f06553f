/** Expands claims. */

import { ApiError } from "../client/apiError";
import { describe, textAt } from "../client/objects";
import type { KubeObject } from "../client/objects";
import { forAll } from "../client/pool";
import type { Site } from "../apply/site";
import { explain } from "../apply/faults";
import { refOf } from "./claims";
import { storageClass } from "./storageClass";
import type { StorageClass } from "./storageClass";
import { cannotGrow } from "./plan";
import type { Growth } from "./plan";
import { sizeText } from "./quantity";

/** Why claims can't grow, according to their storage classes and the API server, which enforces quotas. */
export async function growthFaults(site: Site, growths: readonly Growth[]): Promise<string[]> {
  const classes = new Map<string, Promise<StorageClass>>();
  const classOf = (name: string) => {
    let found = classes.get(name);
    if (!found) classes.set(name, (found = storageClass(site.client, name)));
    return found;
  };
  const faults = await forAll(growths, async (growth) => {
    const name = textAt(growth.claim, "spec", "storageClassName");
    const found = name === undefined ? undefined : await classOf(name);
    const fault = found === "hidden" ? undefined : cannotGrow(growth, found);
    return fault ?? (await refusal(site, growth));
  });
  return faults.filter((fault) => fault !== undefined);
}

export async function growClaims(site: Site, growths: readonly Growth[]): Promise<void> {
  await forAll(growths, async (growth) => {
    site.log(
      "status",
      `growing ${describe(refOf(growth.claim))} from ${sizeText(growth.from)} to ${sizeText(growth.to)}`,
    );
    await patch(site, growth, false);
  });
}

async function refusal(site: Site, growth: Growth): Promise<string | undefined> {
  try {
    await patch(site, growth, true);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return explain(error, refOf(growth.claim));
    throw error;
  }
}

const patch = (site: Site, { claim, quantity }: Growth, dryRun: boolean): Promise<KubeObject> =>
  site.client.merge(
    refOf(claim),
    { metadata: { uid: claim.metadata.uid }, spec: { resources: { requests: { storage: quantity } } } },
    { dryRun },
  );

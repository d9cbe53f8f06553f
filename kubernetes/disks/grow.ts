/** Expands claims. */

import { ApiError } from "../client/apiError";
import { describe, textAt, refOf, type KubeObject } from "../objects/objects";
import { forAll } from "../client/pool";
import type { Work } from "../work/work";
import { explain } from "../work/faults";
import { storageClass, type StorageClass } from "../claims/storageClass";
import { cannotGrow, type Growth } from "../claims/claimPlan";
import { sizeText } from "../objects/bytes";

/** Why claims can't grow, according to their storage classes and the API server, which enforces quotas. */
export async function growthFaults(site: Work, growths: readonly Growth[]): Promise<string[]> {
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

export async function growClaims(site: Work, growths: readonly Growth[]): Promise<void> {
  await forAll(growths, async (growth) => {
    site.log(
      "status",
      `growing ${describe(refOf(growth.claim))} from ${sizeText(growth.from)} to ${sizeText(growth.to)}`,
    );
    await patch(site, growth, false);
  });
}

async function refusal(site: Work, growth: Growth): Promise<string | undefined> {
  try {
    await patch(site, growth, true);
    site.unknown?.noteWrite();
    return undefined;
  } catch (error) {
    if (site.unknown?.note(error, refOf(growth.claim))) return undefined;
    if (error instanceof ApiError) return explain(error, refOf(growth.claim));
    throw error;
  }
}

const patch = (site: Work, { claim, quantity }: Growth, dryRun: boolean): Promise<KubeObject> =>
  site.client.merge(
    refOf(claim),
    { metadata: { uid: claim.metadata.uid }, spec: { resources: { requests: { storage: quantity } } } },
    { dryRun },
  );

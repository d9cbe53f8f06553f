import { CHECKS, findingText, isCheck, type Check } from "../../provider/bundles/crdSafety/checks";
import { isCrd, readCrd, type Crd } from "../../provider/bundles/crdSafety/crd";
import { crdFaults } from "../../provider/bundles/crdSafety/crdFaults";
import { misfits, misfitText } from "../../provider/bundles/crdSafety/validate";
import type { Client } from "../../provider/kubernetes/client";
import type { KubeObject } from "../../provider/kubernetes/objects";
import { UsageError } from "../errors";

/** Names of checks as they were written, each one that there is. */
export function checksOf(names: readonly string[] = []): Check[] {
  return names.map((name) => {
    if (isCheck(name)) return name;
    throw new UsageError(`--allow: found ${JSON.stringify(name)}; expected one of ${Object.keys(CHECKS).join(", ")}`);
  });
}

/** What installing these CRDs would break in a cluster that has others of their names; a line each. */
export async function crdTroubles(
  client: Client,
  objects: readonly KubeObject[],
  allowed: readonly Check[],
): Promise<string[]> {
  const troubles: string[] = [];
  for (const object of objects.filter(isCrd)) {
    const { apiVersion, kind, metadata } = object;
    const live = await client.get({ apiVersion, kind, name: metadata.name });
    if (!live) continue;
    const [old, next] = [readCrd(live), readCrd(object)];
    troubles.push(...crdFaults(old, next, allowed).map(findingText));
    troubles.push(...misfits(old, next, await liveObjects(client, old)).map(misfitText));
  }
  return troubles;
}

async function liveObjects(client: Client, { group, kind, versions }: Crd): Promise<KubeObject[]> {
  const version = versions.find(({ served, storage }) => served && storage) ?? versions.find(({ served }) => served);
  return version ? client.list({ apiVersion: `${group}/${version.name}`, kind }) : [];
}

/** Returns the objects that a release should have, rendered from its content and values. */

import type { Work } from "../../../../kubernetes/work/work";
import { clusterFacts } from "../../../../bundles/format/facts";
import { emptyText, type BundleObject } from "../../../../bundles/format/format";
import { missingPermissions, whoami } from "../../../../bundles/permissions/reviews";
import { placeObjects } from "../../../../bundles/permissions/place";
import { formatOf, treeOf } from "./content";
import { isolationOf } from "./isolation/policies";
import { wholeBefore, type Earlier } from "../earlier";
import { valuesOf, type ReleaseInputs } from "../inputs";
import { membersOf } from "./members";
import type { Member } from "./member";

/** A preview may count on kinds that dependencies will create. */
export async function wantedObjects(
  { client, signal, log }: Work,
  inputs: ReleaseInputs,
  isComing: (kind: string) => boolean = () => false,
): Promise<readonly BundleObject[]> {
  const { name, namespace } = inputs;
  const tree = await treeOf(inputs, { signal, log });
  const purpose = { name, namespace, values: valuesOf(inputs), cluster: () => clusterFacts(client), isComing, signal };
  const format = formatOf(inputs);
  const objects = await format.read(tree, purpose);
  if (objects.length === 0) log("warning", emptyText(format));
  return inputs.networkPolicies === true
    ? [...objects, ...(await isolation({ client, log }, inputs, objects))]
    : objects;
}

/**
 * The policies were not requested explicitly, so without the permission to create them the release is applied without
 * them.
 */
async function isolation(
  { client, log }: Pick<Work, "client" | "log">,
  { name, namespace }: ReleaseInputs,
  objects: readonly BundleObject[],
): Promise<readonly BundleObject[]> {
  const policies = isolationOf(objects, name, namespace);
  if (policies.length === 0) return [];
  const { placed } = await placeObjects(
    client.discovery,
    policies.map(({ object }) => object),
    namespace,
  );
  const rights = await missingPermissions(client, placed);
  if (rights.length === 0) return policies;
  const verbs = [...new Set(rights.map(({ verb }) => verb))].sort().join(", ");
  log(
    "warning",
    `${await whoami(client)} may not ${verbs} NetworkPolicies in ${namespace}, so its workloads get none; ` +
      "grant these rights, or set networkPolicy: { enabled: false }",
  );
  return [];
}

export const wantedMembers = async (work: Work, inputs: ReleaseInputs, old?: Earlier): Promise<Member[]> =>
  membersOf(work.client, inTime(await wantedObjects(work, inputs), old), inputs);

/**
 * Before the first complete installation, drops objects that are only for upgrades; later uses the order of upgrades.
 */
export const inTime = (objects: readonly BundleObject[], old: Earlier | undefined): readonly BundleObject[] =>
  wholeBefore(old) === undefined
    ? objects.filter(({ upgradesOnly = false }) => !upgradesOnly)
    : objects.map((one) => (one.upgradeWave === undefined ? one : { ...one, wave: one.upgradeWave }));

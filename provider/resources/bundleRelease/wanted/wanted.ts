/** What a release is to consist of in its cluster: the objects that its format makes of content and values. */

import type { Work } from "../../../../kubernetes/apply/site";
import { factsOf } from "../../../../bundles/format/facts";
import { emptyText, type BundleObject } from "../../../../bundles/format/format";
import { formatOf, treeOf } from "./content";
import { wholeBefore, type Earlier } from "../earlier";
import { valuesOf, type ReleaseInputs } from "../inputs";
import { membersOf } from "./members";
import type { Member } from "./member";

/** Only a preview may count on kinds that are yet to come. */
export async function wantedObjects(
  { client, signal, log }: Work,
  inputs: ReleaseInputs,
  isComing: (kind: string) => boolean = () => false,
): Promise<readonly BundleObject[]> {
  const { name, namespace } = inputs;
  const tree = await treeOf(inputs, { signal, log });
  const purpose = { name, namespace, values: valuesOf(inputs), cluster: () => factsOf(client), isComing, signal };
  const format = formatOf(inputs);
  const objects = await format.read(tree, purpose);
  if (objects.length === 0) log("warning", emptyText(format));
  return objects;
}

export const wantedMembers = async (work: Work, inputs: ReleaseInputs, old?: Earlier): Promise<Member[]> =>
  membersOf(work.client, inTime(await wantedObjects(work, inputs), old), inputs);

/** Without what is for upgrades only until there is something to be upgraded; then in the order of upgrades. */
export const inTime = (objects: readonly BundleObject[], old: Earlier | undefined): readonly BundleObject[] =>
  wholeBefore(old) === undefined
    ? objects.filter(({ upgradesOnly = false }) => !upgradesOnly)
    : objects.map((one) => (one.upgradeWave === undefined ? one : { ...one, wave: one.upgradeWave }));

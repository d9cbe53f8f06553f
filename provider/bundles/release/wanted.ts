/** What a release is to consist of in its cluster: the objects that its format makes of content and values. */

import type { Work } from "../../manifests/site";
import { factsOf } from "../format/facts";
import type { BundleObject } from "../format/format";
import { formatOf, treeOf } from "./content";
import { valuesOf } from "./inputs";
import type { ReleaseInputs } from "./inputs";
import { membersOf } from "./members";
import type { Member } from "./members";

/** Only a preview may count on kinds that are yet to come. */
export async function wantedObjects(
  { client, signal, log }: Work,
  inputs: ReleaseInputs,
  isComing: (kind: string) => boolean = () => false,
): Promise<readonly BundleObject[]> {
  const { name, namespace } = inputs;
  const tree = await treeOf(inputs, { signal, log });
  const purpose = { name, namespace, values: valuesOf(inputs), cluster: () => factsOf(client), isComing, signal };
  return formatOf(inputs).read(tree, purpose);
}

export const wantedMembers = async (work: Work, inputs: ReleaseInputs): Promise<Member[]> =>
  membersOf(work.client, await wantedObjects(work, inputs), inputs);

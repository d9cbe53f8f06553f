/** Whether the content of a release may be applied: by who applies it, and by those who have a say in it. */

import type { Work } from "../../manifests/site";
import { gate, NotApproved } from "../approvals/gate";
import type { When } from "../approvals/standing";
import { missingPermissions, whoami } from "../permissions/ask";
import { placeObjects, type Placed } from "../permissions/place";
import { asYaml, rolesFor } from "../permissions/role";
import { parentOf, parentRef } from "./applySet";
import { titleOf, type ReleaseInputs } from "./inputs";
import type { Member } from "./members";

/**
 * `changed`: those of the members that are going to be applied; `back`: to content that was there before. Throws before
 * anything is changed.
 */
export async function authorise(
  work: Work,
  inputs: ReleaseInputs,
  members: readonly Member[],
  changed: readonly Member[],
  back: boolean,
): Promise<void> {
  await askRights(work, inputs, changed);
  await askApproval(work, inputs, members, { back });
}

/** For a preview: rights are needed for that too, an approval may still come. */
export async function foresee(
  work: Work,
  inputs: ReleaseInputs,
  members: readonly Member[],
  changed: readonly Member[],
): Promise<void> {
  await askRights(work, inputs, changed);
  try {
    await askApproval(work, inputs, members, { preview: true });
  } catch (error) {
    if (!(error instanceof NotApproved)) throw error;
    work.log("warning", error.message);
  }
}

async function askApproval(
  work: Work,
  inputs: ReleaseInputs,
  members: readonly Member[],
  kind: { readonly preview?: boolean; readonly back?: boolean },
): Promise<void> {
  const incoming = members.map(({ object, ref: { namespace } }) => ({
    object,
    ...(namespace === undefined ? {} : { namespace }),
  }));
  await gate(work.client, { name: inputs.name, namespace: inputs.namespace }, inputs.digest, incoming, {
    when: inputs.approval as When,
    otherwise: inputs.awaitApproval ? "wait" : "fail",
    deadline: work.deadline,
    signal: work.signal,
    log: (severity, message) => work.log(severity, message),
    ...kind,
  });
}

/** All that is missing at once, instead of the first refusal in the middle of the work. */
async function askRights({ client }: Work, inputs: ReleaseInputs, changed: readonly Member[]): Promise<void> {
  const objects = changed.map(({ object }) => object);
  const { placed } = await placeObjects(client.discovery, objects, inputs.namespace);
  const rights = await missingPermissions(client, [...placed, placedParent(inputs)]);
  if (rights.length === 0) return;
  const user = await whoami(client);
  const yaml = asYaml(rolesFor(rights, user, `bundle-${inputs.name}-apply`));
  throw new Error(
    `${user} may not apply ${titleOf(inputs)}, and nothing was changed. This gives exactly what is missing (kubectl apply -f -):\n${yaml}`,
  );
}

function placedParent(inputs: ReleaseInputs): Placed {
  const extent = { kinds: new Set<string>(), namespaces: new Set<string>() };
  const { namespace } = parentRef(inputs);
  return { object: parentOf(inputs, extent, { digest: inputs.digest }), group: "", resource: "configmaps", namespace };
}

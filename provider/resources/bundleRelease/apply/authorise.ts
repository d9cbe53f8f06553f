/** Checks whether a release may be applied: the permissions of the user, and the approvals. */

import type { KubeObject, Ref } from "../../../../kubernetes/objects/objects";
import { isStatefulSet } from "../../../../kubernetes/claims/claims";
import type { Work } from "../../../../kubernetes/work/work";
import { GROUP } from "../../../../bundles/approvals/approval";
import { PLURAL } from "../../../../bundles/approvals/definition";
import { gate, NotApproved } from "../../../../bundles/approvals/gate";
import type { When } from "../../../../bundles/approvals/status";
import { missingPermissions, whoami } from "../../../../bundles/permissions/reviews";
import { placeObjects, type PlacedObject } from "../../../../bundles/permissions/place";
import { asYaml, rolesFor } from "../../../../bundles/permissions/rbac/role";
import { isResourceRight, type Right } from "../../../../bundles/permissions/rbac/rules";
import { parentOf, parentRef } from "../applySet";
import { approvalDigest, releaseTitle, type ReleaseInputs } from "../inputs";
import { policyName } from "../wanted/isolation/policies";
import type { Member } from "../wanted/member";
import { mayReplace } from "./replace";

/** What a release is about to do. */
interface Intent {
  readonly members: readonly Member[];
  /** The members that are going to be applied. */
  readonly changed: readonly Member[];
  /** Objects of the release that are no longer members. */
  readonly leaving: readonly Ref[];
  /** True for a rollback to earlier content. */
  readonly back?: boolean;
}

/** Throws before anything is changed. */
export async function authorise(work: Work, inputs: ReleaseInputs, intent: Intent): Promise<void> {
  await askRights(work, inputs, intent);
  await askApproval(work, inputs, intent, { back: intent.back });
}

/** Checks for a preview: permissions are required, but a missing approval is only a warning. */
export async function authorisePreview(work: Work, inputs: ReleaseInputs, intent: Intent): Promise<void> {
  await askRights(work, inputs, intent);
  try {
    await askApproval(work, inputs, intent, { preview: true });
  } catch (error) {
    if (!(error instanceof NotApproved)) throw error;
    work.log("warning", error.message);
  }
}

async function askApproval(
  work: Work,
  inputs: ReleaseInputs,
  { members, leaving }: Intent,
  kind: { readonly preview?: boolean; readonly back?: boolean },
): Promise<void> {
  const incoming = members
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ object, ref: { namespace } }) => ({
      object,
      ...(namespace === undefined ? {} : { namespace }),
    }));
  const { name, namespace, digest: content } = inputs;
  // A policy that was generated for a workload goes with it, or with a setting of the platform.
  const generated = new Set([...leaving, ...members.map(({ ref }) => ref)].map((ref) => policyName(name, ref)));
  const isGenerated = (ref: Ref): boolean => ref.kind === "NetworkPolicy" && generated.has(ref.name);
  await gate(work.client, { name, namespace }, approvalDigest(inputs), incoming, {
    content,
    leaving: leaving.filter((ref) => !isGenerated(ref)),
    when: inputs.approval as When,
    otherwise: inputs.awaitApproval ? "wait" : "fail",
    deadline: work.deadline,
    signal: work.signal,
    log: (severity, message) => work.log(severity, message),
    ...kind,
  });
}

/** Reports all missing permissions at once, instead of failing at the first one during the update. */
export async function askRights({ client, unknown }: Work, inputs: ReleaseInputs, intent: Intent): Promise<void> {
  const changed = new Set(intent.changed.map(({ object }) => object));
  const of = async (objects: readonly KubeObject[], fate?: PlacedObject["fate"]): Promise<PlacedObject[]> => {
    const { placed } = await placeObjects(client.discovery, objects, inputs.namespace);
    return placed.map((one) => ({ ...one, ...(fate === undefined ? {} : { fate }) }));
  };
  const bare = ({ apiVersion, kind, name, namespace }: Ref): KubeObject => ({
    apiVersion,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  });
  const all = await of(intent.members.map(({ object }) => object));
  const placed = all.map((one) => (changed.has(one.object) ? one : { ...one, fate: "stays" as const }));
  const leaving = await of(intent.leaving.map(bare), "leaves");
  const more = moreRights(inputs, intent);
  const rights = await missingPermissions(client, [...placed, ...leaving, placedParent(inputs)], client, more);
  if (rights.length === 0) return;
  if (unknown && inputs.as === undefined && rights.some((right) => isOnRecord(right, inputs))) {
    for (const { verb, resource, group } of rights.filter(isResourceRight)) unknown.add(verb, resource, group);
    return;
  }
  const user = await whoami(client);
  const yaml = asYaml(rolesFor(rights, user, `bundle-${inputs.name}-apply`));
  const what = intent.members.length === 0 ? "delete" : "apply";
  throw new Error(
    `${user} may not ${what} ${releaseTitle(inputs)}, and nothing was changed. This gives exactly what is missing (kubectl apply -f -):\n${yaml}`,
  );
}

/** Whoever may not even record the release only looks at it. */
const isOnRecord = (right: Right, inputs: ReleaseInputs): boolean =>
  isResourceRight(right) && right.verb === "patch" && right.name === parentRef(inputs).name;

/** Permissions on resources that are not among the objects. */
function moreRights(inputs: ReleaseInputs, { members, changed }: Intent): Right[] {
  const replaced = new Set(inputs.replace);
  const recreated = changed.filter(
    ({ object, ref }) => isStatefulSet(ref) && mayReplace(object, ref, replaced) === true,
  );
  return [
    // When a StatefulSet is recreated, its claims must be kept.
    ...recreated.flatMap(({ ref: { namespace = "" } }) =>
      ["get", "list", "patch"].map((verb) => ({ verb, group: "", resource: "persistentvolumeclaims", namespace })),
    ),
    ...(inputs.approval === "never" || members.length === 0
      ? []
      : ["get", "list", "create", "patch"].map((verb) => ({ verb, group: GROUP, resource: PLURAL }))),
  ];
}

function placedParent(inputs: ReleaseInputs): PlacedObject {
  const extent = { kinds: new Set<string>(), namespaces: new Set<string>() };
  const { namespace } = parentRef(inputs);
  return { object: parentOf(inputs, extent, { digest: inputs.digest }), group: "", resource: "configmaps", namespace };
}

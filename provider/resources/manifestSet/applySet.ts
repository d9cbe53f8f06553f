/** Applies a manifest set: creation and update are the same. */

import { UnreachableError } from "../../../kubernetes/client/apiError";
import { identity, parseInventoryKey } from "../../../kubernetes/client/objects";
import type { KubeObject } from "../../../kubernetes/client/objects";
import { clusterUidBy } from "../../../kubernetes/identity/clusterUid";
import { hasUnknown, IncompleteError, UNKNOWN } from "../../../foundation/pulumi/resource";
import type { Context } from "../../../foundation/pulumi/resource";
import { applyAll } from "../../../kubernetes/apply/apply";
import type { WhenSmaller } from "../../../kubernetes/claims/plan";
import { guardRemoval, guardScaling } from "../../../kubernetes/guard/guardSet";
import { idOf } from "../../../kubernetes/apply/set";
import type { SetInputs, SetState } from "../../../kubernetes/apply/set";
import { untilGrown, wantsClaims } from "../../../kubernetes/ready/disks";
import { untilAnswers } from "../../../kubernetes/ready/ping";
import { isAwaited } from "../../../kubernetes/ready/rollout";
import { untilRolledOut } from "../../../kubernetes/ready/wait";
import { removeAll } from "../../../kubernetes/remove/remove";
import { openSite } from "../../../kubernetes/apply/site";
import { incompleteMessage } from "../../../kubernetes/apply/incompleteMessage";
import { survey } from "../../../kubernetes/apply/survey";
import type { Task } from "../../../kubernetes/apply/survey";
import { givenObjects, inventoryOf, wantedOf } from "../../../kubernetes/apply/wanted";
import type { Wanted } from "../../../kubernetes/apply/wanted";

/** The previous inputs and state, for an update. */
export interface Earlier {
  readonly inputs: SetInputs;
  readonly state: SetState;
}

export async function applySet(
  context: Context,
  inputs: SetInputs,
  ownerId: string,
  earlier?: Earlier,
): Promise<SetState> {
  const site = openSite(context, inputs, ownerId);
  const [wanted, uid] = await Promise.all([wantedOf(site, inputs), clusterUidBy(inputs, context)]);
  const identified = { ownerId, ...(uid === undefined ? {} : { clusterUid: uid }) };
  const left = leftOf(wanted, earlier);
  if (earlier) await guardRemoval(site, left, earlier.inputs, "this update");
  const options = { before: beforeOf(earlier), whenSmaller: whenSmallerOf(inputs, earlier), preview: false };
  const { tasks, notes, warnings, withheld } = await survey(site, wanted, options);
  await guardScaling(site, tasks);
  for (const note of notes) site.log("info", note);
  for (const words of warnings) site.log("warning", words);

  const made = new Set<string>(earlier?.state.inventory ?? []);
  const begun = new Set<string>();
  const removesFirst = inputs.removeFirst === true && left.length > 0;
  try {
    if (earlier && removesFirst) await removeAll(site, left, earlier.inputs);
    await applyAll(site, tasks, (key) => {
      made.add(key);
      begun.add(key);
    });
    await untilRolledOut(site, wanted.map(({ ref }) => ref).filter(isAwaited));
    const storageBytes = await untilGrown(site, wanted);
    if (inputs.ping) await untilAnswers(site, inputs.ping.url);
    // Removed objects are deleted when the new ones are ready.
    if (earlier && left.length > 0 && !removesFirst) await removeAll(site, left, earlier.inputs);
    const state = { ...inputs, inventory: inventoryOf(wanted), storageBytes, ...identified };
    return withheld.length > 0 ? { ...state, withheld } : state;
  } catch (error) {
    // Nothing was changed, so the old state is still valid.
    if (begun.size === 0 && !removesFirst) throw error;
    const state: SetState = {
      ...inputs,
      inventory: [...made],
      storageBytes: earlier?.state.storageBytes ?? (wantsClaims(wanted) ? 0 : null),
      ...identified,
      incomplete: true,
    };
    const there = inventoryOf(wanted).filter((key) => begun.has(key));
    throw new IncompleteError(incompleteMessage(error, there), idOf(inputs), state);
  }
}

/** Reports what would fail; changes nothing. */
export async function previewSet(
  context: Context,
  inputs: SetInputs,
  ownerId: string | undefined,
  earlier?: Earlier,
): Promise<SetState> {
  const unknown: SetState = {
    ...inputs,
    inventory: UNKNOWN as unknown as string[],
    storageBytes: UNKNOWN as unknown as number,
    ownerId: ownerId ?? UNKNOWN,
    clusterUid: earlier?.state.clusterUid ?? UNKNOWN,
  };
  const { kubeconfig, context: contextName, name, namespace, cluster } = inputs;
  if (hasUnknown([kubeconfig, contextName, name, namespace, cluster])) return unknown;
  const site = openSite(context, inputs, ownerId);
  try {
    const wanted = await wantedOf(site, inputs);
    // With unknown objects, the removed ones are not known either.
    const left = hasUnknown(inputs.objects) ? [] : leftOf(wanted, earlier);
    if (earlier) await guardRemoval(site, left, earlier.inputs, "this update");
    const options = { before: beforeOf(earlier), whenSmaller: whenSmallerOf(inputs, earlier), preview: true };
    const { tasks, notes, missing, warnings } = await survey(site, wanted, options);
    await guardScaling(site, tasks);
    for (const note of notes) site.log("info", note);
    for (const words of [...missing, ...warnings]) site.log("warning", words);
    if (hasUnknown(inputs.objects)) return unknown;
    const storageBytes = storageAfter(tasks, inputs, earlier);
    return { ...unknown, inventory: inventoryOf(wanted), storageBytes };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    site.log("warning", `${error.message}; so the objects were not checked`);
    return unknown;
  }
}

/** The previously requested objects. */
const beforeOf = (earlier: Earlier | undefined): ReadonlyMap<string, KubeObject> =>
  earlier ? givenObjects(earlier.inputs) : new Map<string, KubeObject>();

/** If claims were allowed to stay larger before, that update may have made them larger. */
function whenSmallerOf({ claimsWhenSmaller }: SetInputs, earlier: Earlier | undefined): WhenSmaller {
  if (claimsWhenSmaller === "Keep") return "keep";
  return earlier?.inputs.claimsWhenSmaller === "Keep" ? "refuse all" : "refuse";
}

/** The size stays the same unless a claim is created, deleted or resized. */
function storageAfter(tasks: readonly Task[], inputs: SetInputs, earlier: Earlier | undefined): number | null {
  if (!wantsClaims(tasks)) return null;
  const claims = (objects: readonly KubeObject[]): string => JSON.stringify(objects.flatMap(claimsIn));
  const same = earlier !== undefined && claims(earlier.inputs.objects) === claims(inputs.objects);
  const grows = tasks.some(({ growths }) => growths.length > 0);
  return same && !grows ? earlier.state.storageBytes : (UNKNOWN as unknown as number);
}

/** The claims that an object creates, without their sizes. */
function claimsIn(object: KubeObject): unknown[] {
  const { volumeClaimTemplates: templates, replicas } = (object["spec"] ?? {}) as Record<string, unknown>;
  if (Array.isArray(templates)) return [object.metadata.name, replicas, templates.length];
  return object.kind === "PersistentVolumeClaim" ? [object.metadata.name] : [];
}

/** Returns the previous objects that are no longer desired. */
function leftOf(wanted: readonly Wanted[], earlier: Earlier | undefined): string[] {
  const kept = new Set(wanted.map(({ ref }) => identity(ref)));
  return (earlier?.state.inventory ?? []).filter((key) => !kept.has(identity(parseInventoryKey(key))));
}

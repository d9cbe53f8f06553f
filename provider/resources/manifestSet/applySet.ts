/** Applies a manifest set: creation and update are the same. */

import { UnreachableError } from "../../../kubernetes/client/apiError";
import { identity, parseInventoryKey, type KubeObject } from "../../../kubernetes/objects/objects";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { hasUnknown, IncompleteError, UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { applyAll } from "../../../kubernetes/apply/apply";
import type { WhenSmaller } from "../../../kubernetes/claims/claimPlan";
import { storageBytes } from "../../../kubernetes/claims/claims";
import { guardRemoval, guardScaling } from "../../../kubernetes/remove/guardSet";
import { setResourceId, type SetInputs, type SetState } from "../../../kubernetes/apply/set";
import { uidsAmong, untilGrown, wantsClaims } from "../../../kubernetes/ready/disks";
import { untilAnswers } from "../../../kubernetes/ready/ping";
import { isAwaited } from "../../../kubernetes/rollout/rollout";
import { untilRolledOut } from "../../../kubernetes/ready/wait";
import { removeAll } from "../../../kubernetes/remove/remove";
import { openUpdate, type Site } from "../../../kubernetes/apply/site";
import { incompleteMessage } from "../../../kubernetes/work/faults";
import { survey, type SurveyOptions, type Task } from "../../../kubernetes/apply/survey";
import { givenObjects, inventoryOf, wantedOf, type WantedObject } from "../../../kubernetes/apply/wanted";
import type { Held } from "../../../kubernetes/owners/store";
import { logTakeOver } from "./takeOver";
import { beginTenure, guardedSite, dropTenure, endTenure, requireTenure } from "./tenure";

const NOTHING_LEFT = "none of its objects existed any more when the cluster was read last; they are created again";

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
  const opened = openUpdate(context, inputs, ownerId);
  const [wanted, uid, tenure] = await Promise.all([
    wantedOf(opened, inputs),
    requireCluster(context, inputs, earlier?.state),
    requireTenure(context, opened, earlier?.state),
  ]);
  const { site } = tenure;
  const identified = { ownerId, ...(uid === undefined ? {} : { clusterUid: uid }) };
  const left = leftOf(wanted, earlier);
  if (earlier) await guardRemoval(site, left, earlier.inputs, "this update");
  const options = { ...surveyOf(inputs, earlier), preview: false };
  const { tasks, notes, warnings, withheld } = await survey(site, wanted, options);
  await guardScaling(site, tasks);
  for (const note of notes) site.log("info", note);
  for (const words of warnings) site.log("warning", words);
  if (wanted.length > 0 && earlier?.state.inventory?.length === 0) site.log("info", NOTHING_LEFT);

  const made = new Set<string>(earlier?.state.inventory ?? []);
  const begun = new Set<string>();
  const onApply = (key: string): void => {
    made.add(key);
    begun.add(key);
  };
  const removesFirst = inputs.removeFirst === true && left.length > 0;
  let held: Held | undefined;
  const ours = (): Site => (held === undefined ? site : guardedSite(site, held.record));
  const numbered = (): Pick<SetState, "generation"> => {
    const generation = held?.record.generation ?? earlier?.state.generation;
    return generation === undefined ? {} : { generation };
  };
  try {
    held = await beginTenure(tenure, ownerId, uid, tasks, onApply);
    if (earlier && removesFirst) await removeAll(ours(), left, earlier.inputs);
    await applyAll(ours(), tasks, onApply);
    await untilRolledOut(site, wanted.map(({ ref }) => ref).filter(isAwaited));
    const disks = await untilGrown(site, wanted);
    const bytes = storageBytes(disks ?? [], disks !== undefined);
    if (inputs.ping) await untilAnswers(site, inputs.ping.url);
    // Removed objects are deleted when the new ones are ready.
    if (earlier && left.length > 0 && !removesFirst) await removeAll(ours(), left, earlier.inputs);
    const claims = disks && uidsAmong(wanted, disks);
    await endTenure(site, held, claims);
    const known = { ...identified, ...numbered(), ...(claims && { claims }) };
    const state = { ...inputs, inventory: inventoryOf(wanted), storageBytes: bytes, ...known };
    return withheld.length > 0 ? { ...state, withheld } : state;
  } catch (error) {
    // Nothing was changed, so the old state is still valid.
    if (begun.size === 0 && (held === undefined || !removesFirst)) {
      await dropTenure(tenure, held);
      throw error;
    }
    const state: SetState = {
      ...inputs,
      inventory: [...made],
      storageBytes: earlier?.state.storageBytes ?? (wantsClaims(wanted) ? 0 : null),
      ...identified,
      ...numbered(),
      ...(earlier?.state.claims && { claims: earlier.state.claims }),
      incomplete: true,
    };
    const there = inventoryOf(wanted).filter((key) => begun.has(key));
    throw new IncompleteError(incompleteMessage(error, there), setResourceId(inputs), state);
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
  const { kubeconfig, context: contextName, name, namespace, cluster, expectedClusterUid } = inputs;
  if (hasUnknown([kubeconfig, contextName, name, namespace, cluster, expectedClusterUid])) return unknown;
  const opened = openUpdate(context, inputs, ownerId);
  try {
    const [wanted, , tenure] = await Promise.all([
      wantedOf(opened, inputs),
      requireCluster(context, inputs, earlier?.state),
      requireTenure(context, opened, earlier?.state),
    ]);
    const { site } = tenure;
    await logTakeOver(tenure, wanted);
    // With unknown objects, the removed ones are not known either.
    const left = hasUnknown(inputs.objects) ? [] : leftOf(wanted, earlier);
    if (earlier) await guardRemoval(site, left, earlier.inputs, "this update");
    const options = { ...surveyOf(inputs, earlier), preview: true };
    const { tasks, notes, missing, warnings } = await survey(site, wanted, options);
    await guardScaling(site, tasks);
    for (const note of notes) site.log("info", note);
    for (const words of [...missing, ...warnings]) site.log("warning", words);
    site.unknown?.log(site.log);
    if (hasUnknown(inputs.objects)) return unknown;
    return { ...unknown, inventory: inventoryOf(wanted), storageBytes: storageAfter(tasks, inputs, earlier) };
  } catch (error) {
    if (opened.unknown?.note(error)) opened.unknown.log(opened.log);
    else if (error instanceof UnreachableError)
      opened.log("warning", `${error.message}; so the objects were not checked`);
    else throw error;
    return unknown;
  }
}

const surveyOf = (inputs: SetInputs, earlier: Earlier | undefined): Omit<SurveyOptions, "preview"> => ({
  before: beforeOf(earlier),
  whenSmaller: whenSmallerOf(inputs, earlier),
  isNew: earlier === undefined,
  ...(earlier?.state.claims && { claims: earlier.state.claims }),
});

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
function leftOf(wanted: readonly WantedObject[], earlier: Earlier | undefined): string[] {
  const kept = new Set(wanted.map(({ ref }) => identity(ref)));
  return (earlier?.state.inventory ?? []).filter((key) => !kept.has(identity(parseInventoryKey(key))));
}

/** Previews a release: reports what would fail, and the changes of each object. Changes nothing. */

import { readCrd, versionNamed, type Crd } from "../../../bundles/crdSafety/crd";
import { validatorOf, type Validator } from "../../../bundles/crdSafety/validate";
import { hasUnknown, UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { ApiError, isMissingNamespace, UnreachableError } from "../../../kubernetes/client/apiError";
import { UnknownKindError } from "../../../kubernetes/client/discovery";
import { identity, isCrd, type KubeObject, type Ref, describe, groupOf } from "../../../kubernetes/objects/objects";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { isStatefulSet } from "../../../kubernetes/claims/claims";
import { forAll } from "../../../kubernetes/client/pool";
import { isWithoutDryRun, dryRunCreation } from "../../../kubernetes/apply/dryRun";
import type { Work } from "../../../kubernetes/work/work";
import { FaultsError } from "../../../kubernetes/work/faults";
import { extentFrom, extentOf, groupKind, setStatus, tenureAfter, type Tenure } from "./applySet";
import { driftedIn, revertingManualChanges } from "./live/byHand";
import { authorisePreview } from "./apply/authorise";
import { applyRefusal, type Task } from "./apply/apply";
import { removedRefs, unwantedRefs, openRelease } from "./applyRelease";
import type { Earlier } from "./earlier";
import { fieldChanges } from "../../../kubernetes/drift/fieldChanges";
import { guardMembers, guardReplaced, guardScaling } from "./apply/guard";
import { secretMask } from "./hidden";
import type { ReleaseInputs, ReleaseState } from "./inputs";
import { liveParent, lookAt } from "./live/live";
import { membersOf } from "./wanted/members";
import type { Member } from "./wanted/member";
import { isNamespace, phasesOf } from "./wanted/order";
import { isOfAnother } from "./ownership/ownership";
import { PRUNE_ANNOTATION } from "./apply/remove";
import {
  providedNamespaces,
  isProvidedKind,
  missingKinds,
  missingText,
  objectsOfProvidedKinds,
} from "./wanted/requirements";
import { changeReason, replacementFaults, isFailedJob, mindsChange } from "./apply/replace";
import { ApplyReport, type RemovedObject } from "./apply/report";
import { isInvalid, overlaid } from "./live/revised";
import { recordsOf, settledIn } from "./state";
import { survey } from "./apply/survey";
import { parted, logTaken } from "./ownership/takers";
import { releaseClaimant } from "./ownership/claimant";
import { logTakeOver, requireTenancy, tenancyOf } from "./ownership/tenancy";
import { inTime, wantedObjects } from "./wanted/wanted";

// Validates custom resources against the CustomResourceDefinition in the same bundle.

/**
 * Returns a function that lists the schema faults of a custom resource; empty for other kinds. Each schema is compiled
 * once.
 */
export function schemaFaults(objects: readonly KubeObject[]): (object: KubeObject) => string[] {
  const crds = objects.filter(isCrd).map(readCrd);
  const validators = new Map<string, Validator>();
  return (object) => {
    const crd = crds.find(({ group, kind }) => group === groupOf(object.apiVersion) && kind === object.kind);
    if (!crd) return [];
    const title = describe({ ...object, ...object.metadata });
    // Kinds of one group share the version, but each has its own schema.
    const key = `${crd.name} ${object.apiVersion}`;
    const validate = validators.get(key) ?? prepare(crd, object.apiVersion);
    if (!validate) return [`${title}: CustomResourceDefinition ${crd.name} does not serve ${object.apiVersion}`];
    validators.set(key, validate);
    return validate(object).map(({ path, what }) => `${title}: ${path}: ${what}`);
  };
}

function prepare(crd: Crd, apiVersion: string): Validator | undefined {
  const version = versionNamed(crd, apiVersion.slice(apiVersion.indexOf("/") + 1));
  return version?.served ? validatorOf(version.schema) : undefined;
}

export async function previewRelease(
  context: Context,
  inputs: ReleaseInputs,
  ownerId: string | undefined,
  old?: Earlier,
): Promise<ReleaseState> {
  const unknown: ReleaseState = {
    ...inputs,
    inventory: UNKNOWN as unknown as string[],
    fingerprints: UNKNOWN as unknown as string[],
    ownerId: ownerId ?? UNKNOWN,
    clusterUid: old?.state.clusterUid ?? UNKNOWN,
    generation: UNKNOWN as unknown as number,
  };
  const { kubeconfig, context: cluster, name, namespace, as } = inputs;
  if (hasUnknown([kubeconfig, cluster, name, namespace, as])) return unknown;
  const work = openRelease(context, inputs);
  try {
    await requireCluster(context, inputs, old?.state);
    const parent = await liveParent(work.client, inputs);
    const tenancy = tenancyOf(context, inputs, releaseClaimant(context, ownerId, old?.state), parent);
    requireTenancy(tenancy);
    logTakeOver(tenancy, work);
    if (hasUnknown(inputs)) return unknown;
    const comes = (kind: string): boolean => isProvidedKind(kind, inputs.providedBy);
    const missing = (await missingKinds(work.client, inputs.requires)).filter((kind) => !comes(kind));
    if (missing.length > 0) throw new FaultsError("nothing was changed", [missingText(missing)]);
    const objects = inTime(await wantedObjects(work, inputs, comes), old);
    const later = await objectsOfProvidedKinds(work.client, objects, inputs.providedBy);
    const present = objects.filter((one) => !later.has(one));
    const members = await membersOf(work.client, present, inputs);
    const records = recordsOf(old?.state, setStatus(parent).toward !== undefined || tenancy.verdict === "taken");
    const settled = settledIn(records);
    const changing = members.filter((member) => !settled(member));
    await authorisePreview(work, inputs, {
      members,
      changed: changing,
      leaving: parted(removedRefs(records, members), inputs).going,
    });
    const extent = parent
      ? extentFrom(parent, inputs)
      : extentOf(
          inputs,
          records.map(({ ref }) => ref),
        );
    const tenure = tenureAfter(parent, ownerId ?? NEW);
    const tasks = await survey(work, changing, inputs, { tenure, drifted: driftedIn(old, records) });
    await guardScaling(work, tasks);
    const own = inputs.createNamespace === true ? [inputs.namespace] : [];
    const report = new ApplyReport([...own, ...providedNamespaces(inputs.providedBy)]);
    await dryRunAll(work, tasks, members, report, secretMask(inputs, old?.inputs, old?.state));
    const left = await unwantedRefs(
      work,
      inputs,
      extent,
      members,
      records.map(({ ref }) => ref),
    );
    const kinds = new Set([...later].map(({ object }) => groupKind(object)));
    const { going, taken } = parted(
      left.filter((ref) => !kinds.has(groupKind(ref))),
      inputs,
    );
    await guardMembers(work, { ...inputs, tenure }, going, "this update");
    report.pruned(await leaving(work, inputs, going, tenure));
    report.log(work, old?.state.digest, inputs.digest);
    logTaken(work, taken, inputs);
    work.unknown?.log(work.log);
    if (later.size > 0) {
      const which = [...kinds].sort().join(", ");
      work.log("info", `not checked, because a dependency creates their kinds: ${later.size} of ${which}`);
      return unknown;
    }
    const all = phasesOf(members).flatMap(({ items }) => items);
    return {
      ...unknown,
      inventory: all.map(({ key }) => key),
      fingerprints: all.map(({ fingerprint }) => fingerprint),
    };
  } catch (error) {
    if (work.unknown?.note(error)) work.unknown.log(work.log);
    else if (error instanceof UnreachableError)
      work.log("warning", `${error.message}; so the objects were not checked`);
    else throw error;
    return unknown;
  }
}

/** Placeholder for the id of a new instance. */
const NEW = "new";

/** Whether a namespace is otherwise empty is only known after the bundle's own objects are deleted. */
async function leaving(
  { client }: Work,
  inputs: ReleaseInputs,
  refs: readonly Ref[],
  tenure: Tenure,
): Promise<RemovedObject[]> {
  const found = await lookAt(client, refs);
  return refs.map((ref) => {
    const live = found.get(identity(ref));
    if (live && isOfAnother(live, tenure)) return { ref, note: "stays, because it has another owner" };
    const kept = live?.metadata.annotations?.[PRUNE_ANNOTATION] === "disabled";
    const guarded = (isCrd(ref) || isNamespace(ref)) && !inputs.allowDeletion.includes(ref.kind);
    const note = kept ? "stays, as its annotation says" : guarded ? "stays if others have something in it" : undefined;
    return { ref, note };
  });
}

/** Throws all rejections at once. */
async function dryRunAll(
  work: Work,
  tasks: readonly Task[],
  members: readonly Member[],
  report: ApplyReport,
  hide: (text: string) => string,
): Promise<void> {
  const faults: string[] = [];
  const validate = schemaFaults(members.map(({ object }) => object));
  await forAll(tasks, async (task) => {
    try {
      if (task.needs === "kind") {
        faults.push(...validate(task.object).map((fault) => `${task.place}: ${fault}`));
        report.created(task);
        return;
      }
      // If the definition of its kind changes too, validate against the new schema.
      const faulty = task.revised ? validate(task.object) : [];
      faults.push(...faulty.map((fault) => `${task.place}: ${fault}`));
      const [live, next] = await Promise.all([
        task.there ? work.client.get(task.ref) : undefined,
        attempt(work, task, report),
      ]);
      if (live && next instanceof ApiError) {
        faults.push(
          ...(await replacementFaults(work.client, live, task.object)).map((fault) => `${task.place}: ${fault}`),
        );
        if (!isStatefulSet(live)) await guardReplaced(work, live);
        report.replaced(task, changeReason(next, live, task.object));
      } else if (live && task.replace && isFailedJob(live)) report.replaced(task, "it failed");
      else if (live && next && !(next instanceof ApiError)) report.changed(task, fieldChanges(live, next, hide));
      else if (!live) report.created(task);
      else if (task.revised) report.changed(task, fieldChanges(live, overlaid(live, task.object)));
    } catch (error) {
      if (error instanceof UnknownKindError) faults.push(`${task.place}: ${error.message}`);
      else if (!(error instanceof ApiError) || error.code === 401 || error.code === 429 || error.code >= 500)
        throw error;
      else faults.push(`${task.place}: ${await applyRefusal(work.client, error, task)}`);
    }
  });
  if (faults.length > 0) throw new FaultsError("nothing was changed", faults);
}

/** Namespace for dry runs of objects whose own namespace does not exist yet. */
const SUBSTITUTE = "default";

/**
 * Returns the object as the API server would store it, or the error that makes a replacement necessary; undefined if
 * only the real request can show it.
 */
async function attempt(work: Work, task: Task, report: ApplyReport): Promise<KubeObject | ApiError | undefined> {
  const { client } = work;
  const { object, needs, ref } = task;
  if (needs !== "namespace") {
    try {
      return await revertingManualChanges(task, (options) => client.apply(object, { dryRun: true, ...options }));
    } catch (error) {
      if (isWithoutDryRun(error, work) || (task.revised && isInvalid(error))) return undefined;
      const mayReplace = error instanceof ApiError && task.there && task.replace;
      if (mayReplace && (await mindsChange(client, error, object))) return error;
      if (!isMissingNamespace(error)) throw error;
      report.missing(ref);
    }
  }
  await dryRunCreation(work, { ...object, metadata: { ...object.metadata, namespace: SUBSTITUTE } });
  return undefined;
}

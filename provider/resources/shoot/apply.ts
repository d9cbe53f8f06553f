/** Applies a Shoot: creation and update are the same. */

import { hasUnknown, IncompleteError, UNKNOWN, type Context } from "../../../foundation/pulumi/resource";
import { UnreachableError } from "../../../kubernetes/client/apiError";
import { ifKnown, unlessForbidden } from "../../../kubernetes/client/lookUp";
import { at, describe, textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { withAuditLog } from "../../../kubernetes/gardener/auditLog";
import { capacityOf, profileFaults } from "../../../kubernetes/gardener/cloudProfile";
import { desiredOf } from "../../../kubernetes/gardener/desired";
import { changesOfSet } from "../../../kubernetes/gardener/immutable";
import { changeOnly } from "../../../kubernetes/gardener/imported";
import type { Goal } from "../../../kubernetes/gardener/judge";
import { applyAuthentication, removeAuthentication, withAuthentication } from "../../../kubernetes/gardener/existing";
import { seedOverlaps } from "../../../kubernetes/gardener/seedNetworks";
import * as shoots from "../../../kubernetes/gardener/shoot";
import { whileOwned, writeRecord } from "../../../kubernetes/gardener/owner";
import {
  asDescribed,
  authenticationIn,
  forVersion,
  withoutAuthentication,
} from "../../../kubernetes/gardener/versionFields";
import { changeShoot, createShoot, despiteConflicts } from "../../../kubernetes/gardener/write";
import { detailsOn, recordOn, withRecord } from "../../../kubernetes/owners/annotations";
import { begun } from "../../../kubernetes/owners/record";
import { cloudProfileOf, lookAt, openGarden, requireGarden, type Garden } from "./garden";
import { shootId, type ShootInputs, type ShootState } from "./inputs";
import { shootClaimant, mustBeOwn, type Asking } from "./owner";
import { untilSettled } from "./wait";

export async function applyShoot(context: Context, inputs: ShootInputs, earlier?: ShootState): Promise<ShootState> {
  const garden = openGarden(context, inputs);
  const place = await requireGarden(context, inputs, earlier);
  const asking = { claimant: shootClaimant(context, inputs, earlier), inputs, earlier };
  const { live, desired, capacity, applied } = await write(garden, asking, context.urn);
  await wakeUp(garden, live, applied);
  const written = recordOn(desired);
  const owned = { ...inputs, ...place, ...capacity, ...(written && { ownerGeneration: written.generation }) };
  const accepted: ShootState = { ...owned, ...shoots.shootFacts(applied), incomplete: true };
  if (inputs.wait === false) return accepted;
  try {
    const goal: Goal = isCreated(live) ? "changed" : "created";
    const settled = await settle(garden, inputs, desired, goal);
    if (earlier && hasOidc(earlier.shoot) && !hasOidc(inputs.shoot)) {
      await removeAuthentication(garden.client, inputs.shoot, asking.claimant.owner);
    }
    if (written === undefined) return { ...owned, ...shoots.shootFacts(settled) };
    const done = await whileOwned(garden.client, settled, written, (now) =>
      writeRecord(garden.client, now, { ...written, phase: "applied" }, { ...detailsOn(now), urn: context.urn }),
    );
    return { ...owned, ...shoots.shootFacts(done) };
  } catch (error) {
    const now = (await garden.client.get(garden.ref).catch(() => undefined)) ?? applied;
    const state: ShootState = { ...accepted, ...shoots.shootFacts(now) };
    throw new IncompleteError(error instanceof Error ? error.message : String(error), shootId(inputs), state);
  }
}

/**
 * Creates or changes the Shoot, together with the record of its owner. After a conflict everything is decided again:
 * somebody else may have created or taken over the Shoot.
 */
async function write(
  garden: Garden,
  asking: Asking,
  urn: string,
): Promise<Prepared & { readonly applied: KubeObject }> {
  const { client } = garden;
  return despiteConflicts(async () => {
    const prepared = await prepare(garden, asking, urn);
    const { live, desired, configMap } = prepared;
    if (configMap) await applyAuthentication(client, configMap, asking.claimant.owner);
    const applied = await (live ? changeShoot(client, desired, live) : createShoot(client, desired));
    return { ...prepared, applied };
  });
}

/** Reports what would fail; changes nothing. */
export async function previewShoot(context: Context, inputs: ShootInputs, earlier?: ShootState): Promise<ShootState> {
  const unknown = UNKNOWN as never;
  const facts = { uid: unknown, generation: unknown, domain: unknown, seed: unknown, apiServer: unknown };
  const guess = { kubernetesVersion: unknown, hibernated: unknown, ...facts };
  if (hasUnknown(inputs)) return { ...inputs, ...guess };
  const garden = openGarden(context, inputs);
  try {
    const place = await requireGarden(context, inputs, earlier);
    const asking = { claimant: shootClaimant(context, inputs, earlier), inputs, earlier };
    const { desired, live, capacity, configMap } = await prepare(garden, asking, context.urn);
    // Gardener looks the ConfigMap up, and a dry run does not create it.
    const isThere = configMap === undefined || (live && authenticationIn(live) === configMap.metadata.name);
    const planned = await garden.client.apply(isThere ? desired : withoutAuthentication(desired), { dryRun: true });
    const { uid, domain, seed, apiServer } = live ? shoots.shootFacts(live) : guess;
    const known = { uid, domain, seed, apiServer, generation: planned.metadata.generation ?? unknown };
    const version = textAt(desired, "spec", "kubernetes", "version") ?? "";
    const hibernated = shoots.wantsHibernation(desired);
    return { ...inputs, ...place, ...capacity, ...known, kubernetesVersion: version, hibernated };
  } catch (error) {
    if (garden.unknown?.note(error)) garden.unknown.log(garden.log);
    else if (!(error instanceof UnreachableError)) throw error;
    else garden.log("warning", `${error.message}; so the Shoot was not checked`);
    return { ...guess, ...earlier, ...inputs };
  }
}

const BINDINGS = "security.gardener.cloud/v1alpha1";

interface Prepared {
  /** The live Shoot; undefined if it does not exist yet. */
  readonly live: KubeObject | undefined;
  /** The Shoot to apply. */
  readonly desired: KubeObject;
  /** ConfigMap to apply before. */
  readonly configMap: KubeObject | undefined;
  readonly capacity: Pick<ShootState, "cpu" | "memoryGb">;
}

async function prepare(garden: Garden, asking: Asking, urn: string): Promise<Prepared> {
  const { claimant, inputs, earlier } = asking;
  const live = await garden.client.get(garden.ref);
  const profile = await cloudProfileOf(garden, inputs.shoot);
  if (live === undefined) mustNotBeGone(garden, earlier);
  else mustBeOwn(garden, live, asking);
  if (live) mustBePossible(garden, inputs.shoot, live);
  const existing = live && (await withAuthentication(garden.client, live));
  const described = existing && asDescribed(existing, inputs.shoot);
  const wanted = described && isImported(earlier) ? changeOnly(earlier.shoot, inputs.shoot, described) : inputs.shoot;
  const { shoot, notes } = described ? desiredOf(wanted, described) : { shoot: wanted, notes: [] };
  // Values that the cluster already has may have been removed from the profile; they are no fault of the request.
  const had = new Set(profile && live ? profileFaults(profile, live) : []);
  const faults = profile ? profileFaults(profile, shoot).filter((fault) => !had.has(fault)) : [];
  if (faults.length > 0) throw new Error(`${garden.title}:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
  if (live === undefined) await warnOfOverlaps(garden, shoot);
  for (const note of notes) garden.log("info", `${garden.title}: ${note}`);
  const logged = live ? await withItsAuditLog(garden, inputs, shoot, live) : shoot;
  const { shoot: fitted, configMap } = forVersion(logged, existing);
  await mustHaveBinding(garden, fitted, live);
  const { owner } = claimant;
  const record = owner === undefined ? undefined : begun(live && recordOn(live), claimant, owner);
  // Gardener does not notice that the ConfigMap has other content.
  const isOtherwiseSame = configMap && live && authenticationIn(live) === configMap.metadata.name;
  const shown = annotated(fitted, {
    ...shoots.operationAnnotations(inputs.operationId),
    ...(isOtherwiseSame && RECONCILE),
  });
  const desired = record === undefined ? shown : withRecord(shown, record, { urn });
  return { live, desired, configMap, capacity: (profile && capacityOf(profile, shoot)) ?? {} };
}

/** An imported Shoot has no owner id; its UID takes that role. */
const isImported = (earlier: ShootState | undefined): earlier is ShootState =>
  earlier?.uid !== undefined && earlier.instance === earlier.uid;

/**
 * Ranges can never change, so they are checked for new Shoots. Without the permission to read Seeds, Gardener itself
 * reports conflicts later.
 */
async function warnOfOverlaps(garden: Garden, shoot: KubeObject): Promise<void> {
  const name = textAt(shoot, "spec", "seedName");
  const seed =
    name === undefined ? undefined : await lookAt(garden, { apiVersion: shoots.GARDENER, kind: "Seed", name });
  for (const found of seed ? seedOverlaps(seed, shoot) : []) garden.log("warning", `${garden.title}: ${found}`);
}

const annotated = (shoot: KubeObject, added: Readonly<Record<string, string>>): KubeObject => ({
  ...shoot,
  metadata: { ...shoot.metadata, annotations: { ...shoot.metadata.annotations, ...added } },
});

const RECONCILE = { [shoots.OPERATION_ANNOTATION]: "reconcile" };

const hasOidc = (shoot: KubeObject): boolean =>
  at(shoot, "spec", "kubernetes", "kubeAPIServer", "oidcConfig") !== undefined;

/** Gardener would refuse the Shoot with the name alone. */
async function mustHaveBinding(garden: Garden, shoot: KubeObject, live: KubeObject | undefined): Promise<void> {
  const name = textAt(shoot, "spec", "credentialsBindingName");
  if (name === undefined || name === textAt(live, "spec", "credentialsBindingName")) return;
  const { namespace = "" } = shoot.metadata;
  const ref = { apiVersion: BINDINGS, kind: "CredentialsBinding", namespace, name };
  const isThere = garden.client.get(ref).then((found) => found !== undefined);
  // Where the user may not look, Gardener decides.
  if ((await ifKnown(unlessForbidden(isThere))) !== false) return;
  throw new Error(
    `${garden.title}: found no ${describe(ref)}; expected one with the cloud account, because Gardener takes no SecretBinding from Kubernetes 1.34 on. Create one for the Secret of the SecretBinding, or name another one in credentialsBindings of the provisioner`,
  );
}

function mustNotBeGone({ title }: Garden, earlier: ShootState | undefined): void {
  if (earlier?.uid === undefined) return;
  throw new Error(
    `${title} was deleted outside of this stack. To create a new, empty one, run: pulumi refresh, then the update again`,
  );
}

/**
 * Throws if the Shoot is being deleted, or could not wake up after the requested hibernation, which Gardener reports in
 * advance.
 */
function mustBePossible({ title }: Garden, desired: KubeObject, live: KubeObject): void {
  if (live.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${title} is being deleted since ${live.metadata.deletionTimestamp}; wait until it is gone`);
  }
  const fixed = changesOfSet(live, desired);
  if (fixed.length > 0)
    throw new Error(`${title} can't change so in place:\n${fixed.map((fault) => `  - ${fault}`).join("\n")}`);
  if (!shoots.wantsHibernation(desired) || shoots.wantsHibernation(live)) return;
  const why = shoots.violated(live, "HibernationPossible");
  if (why !== undefined) throw new Error(`${title} can't hibernate: ${why}`);
}

/** Whether Gardener has ever completed the creation. */
function isCreated(live: KubeObject | undefined): boolean {
  const operation = live && shoots.lastOperationOf(live);
  return operation !== undefined && (operation.type !== "Create" || operation.state === "Succeeded");
}

/** A failed and unchanged Shoot stays failed until Gardener is asked to retry. */
async function wakeUp({ client, ref }: Garden, before: KubeObject | undefined, applied: KubeObject): Promise<void> {
  const failed = shoots.lastOperationOf(applied)?.state === "Failed";
  if (!failed || before?.metadata.generation !== applied.metadata.generation) return;
  const { uid } = applied.metadata;
  await client.merge(ref, { metadata: { uid, annotations: { [shoots.OPERATION_ANNOTATION]: "retry" } } });
}

/** Waits for the Shoot. The settings of audit logs depend on the Seed, so a new Shoot may need a second change. */
async function settle(garden: Garden, inputs: ShootInputs, desired: KubeObject, goal: Goal): Promise<KubeObject> {
  const settled = await untilSettled(garden, garden.ref, goal, inputs.timeouts);
  if (settled === undefined) throw new Error(`${garden.title} is gone`);
  const logged = goal === "created" ? await withItsAuditLog(garden, inputs, desired, settled) : desired;
  if (logged === desired) return settled;
  await whileOwned(garden.client, settled, recordOn(desired), (now) => changeShoot(garden.client, logged, now));
  return (await untilSettled(garden, garden.ref, "changed", inputs.timeouts)) ?? settled;
}

async function withItsAuditLog(
  garden: Garden,
  { auditLogs }: ShootInputs,
  desired: KubeObject,
  live: KubeObject,
): Promise<KubeObject> {
  const { seed: name } = shoots.shootFacts(live);
  if (auditLogs === undefined || name === undefined) return desired;
  const seed = await lookAt(garden, { apiVersion: shoots.GARDENER, kind: "Seed", name });
  const provider = textAt(seed, "spec", "provider", "type");
  const region = textAt(desired, "spec", "region") ?? "";
  const tenant = provider === undefined ? undefined : auditLogs[provider]?.[region];
  if (tenant !== undefined) return withAuditLog(desired, tenant);
  const where =
    provider === undefined ? `Seed ${name}, which can't be read` : `provider ${provider} and region ${region}`;
  garden.log("warning", `${garden.title} has no audit log: there is no tenant for ${where}`);
  return desired;
}

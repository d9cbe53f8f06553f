import type { PulumiFn } from "@pulumi/pulumi/automation";
import { registrationOwner } from "../../components/runtime/types/gardener/registrationOwner";
import { messageOf } from "../../foundation/errors";
import { shortHash } from "../../foundation/text/legalName";
import { Director } from "../../provider/director/director";
import { findRegistration } from "../../provider/resources/directorRuntime/registration";
import { runOperation } from "../update/operation";
import { createStack, forgetIfEmpty } from "../runtime/create";
import { destroyStack } from "../runtime/destroy";
import { writeConfig } from "../runtime/project";
import { retryWhileLocked } from "../runtime/locked";
import { collectNotes, toResult, type RuntimeOptions } from "../runtime/operate";
import type { Result } from "../runtime/result";
import { adoptSecrets } from "../runtime/request/secrets";
import { StackFile } from "../stack/file";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../pulumi/state/store";
import { findOrphans, orphansOf } from "../orphans/find";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import type { Orphan } from "../orphans/orphan";
import { kindOf, offerToStack, partsOf, refuseForeign } from "../orphans/kinds";

const PATIENCE_MS = 60_000;

/**
 * Unregisters orphans from the Directors of their provisioners. This runs before their clusters are deleted, so that an
 * interrupted removal can find the rest again. A Director that does not answer does not stop the deletion.
 */
export async function unregisterOrphans(orphans: readonly Orphan[], note: (text: string) => void): Promise<void> {
  for (const orphan of orphans) {
    if (orphan.type !== "gardener") continue;
    const { id, platform, spec, shoot } = orphan;
    const tenant = shoot.metadata.labels?.["account"];
    if (spec?.director === undefined || tenant === undefined) continue;
    const director = new Director({ ...spec.director, tenant }, AbortSignal.timeout(PATIENCE_MS));
    const owner = registrationOwner(`organization/${PLATFORM_PROJECT}/${platform}`, id);
    try {
      const registered = await findRegistration(director, { owner });
      if (registered === undefined) continue;
      await director.unregister(registered);
      note(`the runtime ${registered} of ${id} is removed from the Director`);
    } catch (error) {
      note(`${id} may still be registered in the Director ${spec.director.url}: ${messageOf(error)}`);
    }
  }
}

/**
 * Removes the orphans of one deployment by adopting them into a stack and destroying it. So the removal uses the same
 * code and ownership checks as for any runtime, and `runtime destroy` continues an interrupted removal.
 */
export async function removeOrphans(id: string, orphans: readonly Orphan[], options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const { notes, note } = collectNotes(options);
  refuseForeign(id, orphans, backendName(options.runtimes));
  const stack = await stackFor(id, orphans, options.runtimes);
  const adopted = await adoptAll(stack, orphans, options, note);
  if (!adopted.ok) {
    await forgetIfEmpty(stack, { ...options, keepFile: true });
    return { ...toResult(stack, adopted, started, notes), id };
  }
  await unregisterOrphans(orphans, note);
  const outcome = await destroyStack(stack, options, note);
  const left = outcome.ok ? await remaining(id, orphans, options) : [];
  const result = { ...toResult(stack, outcome, started, notes), id };
  return left.length === 0 ? result : { ...result, ok: false, errors: [`still there:\n${left.join("\n")}`] };
}

/** Uses the deployment's own stack if it is free, else a separate one. */
async function stackFor(id: string, orphans: readonly Orphan[], workspace: Workspace): Promise<string> {
  const state = await withStore(workspace, (store) => store.find(RUNTIME_PROJECT, id));
  if (state === undefined || (state.resources.length <= 1 && state.pending === 0)) return id;
  return `orphan-${shortHash(JSON.stringify(orphans.map(placeOf)), 10)}`;
}

const placeOf = (orphan: Orphan): string => kindOf(orphan).place(orphan);

async function adoptAll(
  stack: string,
  orphans: readonly Orphan[],
  { runtimes: workspace, waitSeconds, onEvent }: RuntimeOptions,
  note: (text: string) => void,
) {
  const file = StackFile.of("{}", `Pulumi.${stack}.yaml`);
  const platform = `organization/${PLATFORM_PROJECT}/${orphans[0]?.platform}`;
  // Pulumi checks the complete config of the project, whichever program runs.
  writeConfig(file, { platform, deployment: { id: orphans[0]?.id, slots: 1, version: "removed" } });
  await adoptSecrets(file, workspace, platform);
  const copy = await file.writeCopy();
  try {
    await createStack(stack, workspace);
    for (const orphan of orphans) await offerToStack(orphan, stack, workspace);
    const run = () =>
      runOperation({
        verb: "up",
        stack,
        workspace,
        program: () => Promise.resolve(holder(orphans)),
        kubernetes: false,
        flags: ["--config-file", copy.file],
        onEvent,
      });
    return await retryWhileLocked(run, { stack, workspace, waitSeconds, note });
  } finally {
    await copy.remove();
  }
}

/** A program that adopts the existing slots and objects unchanged. */
const holder =
  (orphans: readonly Orphan[]): PulumiFn =>
  async () => {
    for (const orphan of orphans) await kindOf(orphan).hold(`orphan-${shortHash(placeOf(orphan), 10)}`, orphan);
  };

/** Returns what the ledger and cluster still have. Retained disks don't count. */
async function remaining(id: string, orphans: readonly Orphan[], options: RuntimeOptions): Promise<string[]> {
  const places = new Set(orphans.map(placeOf));
  const { orphans: now, unseen } = await findOrphans(options);
  const kept = new Set(
    orphans.flatMap((one) =>
      one.type !== "kubernetes" ? [] : one.disks.filter(({ lost }) => !lost).map(({ claim }) => claim.metadata.uid),
    ),
  );
  const left = orphansOf({ orphans: now }, id)
    .filter((orphan) => places.has(placeOf(orphan)))
    .filter((orphan) => orphan.type !== "kubernetes" || orphan.objects.some(({ metadata }) => !kept.has(metadata.uid)));
  return [...left.flatMap(partsOf), ...unseen.map((reason) => `not looked at: ${reason}`)];
}

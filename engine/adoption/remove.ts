import type { PulumiFn } from "@pulumi/pulumi/automation";
import { ClickHouseDatabase, type ClickHouseDatabaseArgs } from "../../components/resources/clickHouseDatabase";
import { ManifestSet } from "../../components/resources/manifestSet";
import { Shoot, type ShootArgs } from "../../components/resources/gardener/shoot";
import { SlotAllocation } from "../../components/resources/slotAllocation";
import { shortHash } from "../../foundation/text/legalName";
import { runOperation } from "../update/operation";
import { createStack, forgetIfEmpty } from "../runtime/create";
import { destroyStack } from "../runtime/destroy";
import { writeConfig } from "../runtime/project";
import { retryWhileLocked } from "../runtime/locked";
import { toResult, type RuntimeOptions } from "../runtime/operate";
import type { Result } from "../runtime/result";
import { adoptSecrets } from "../runtime/request/secrets";
import { StackFile } from "../stack/file";
import { PLATFORM_PROJECT, RUNTIME_PROJECT } from "../stack/names";
import { withStore } from "../state/store";
import { findOrphans, orphansOf } from "../orphans/find";
import { unregisterOrphans } from "./gardener/unregister";
import { offerToStack } from "./slotsOwner";
import { backendName, type Workspace } from "../../foundation/pulumi/backend";
import { type DatabaseOrphan, partsOf, refuseForeign, type Orphan, type ShootOrphan } from "../orphans/orphan";

/**
 * Removes the orphans of one deployment by adopting them into a stack and destroying it. So the removal uses the same
 * code and ownership checks as for any runtime, and `runtime destroy` continues an interrupted removal.
 */
export async function removeOrphans(id: string, orphans: readonly Orphan[], options: RuntimeOptions): Promise<Result> {
  const started = performance.now();
  const notes: string[] = [];
  const note = (text: string) => {
    notes.push(text);
    options.onNote?.(text);
  };
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

function placeOf(orphan: Orphan): string {
  if (orphan.type === "static") return `${orphan.spec.pool}/${orphan.id}`;
  if (orphan.type === "clickhouse") return `${orphan.noted.database}/${orphan.noted.instance}`;
  if (orphan.type === "gardener")
    return `${orphan.shoot.metadata.namespace}/${orphan.shoot.metadata.name}/${orphan.owner}`;
  return `${orphan.way.cluster}/${orphan.namespace}/${orphan.set}/${orphan.owner}`;
}

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
    for (const orphan of orphans) if (orphan.type === "static") await offerToStack(orphan, stack, workspace);
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
function holder(orphans: readonly Orphan[]): PulumiFn {
  return () => {
    for (const orphan of orphans) {
      const name = `orphan-${shortHash(placeOf(orphan), 10)}`;
      if (orphan.type === "static") {
        const { ledgerUrl, spec, id, slots } = orphan;
        new SlotAllocation(name, { ledgerUrl, pool: spec.pool, deployment: id, slots });
        continue;
      }
      if (orphan.type === "clickhouse") {
        new ClickHouseDatabase(name, databaseArgs(orphan));
        continue;
      }
      if (orphan.type === "gardener") {
        new Shoot(name, shootArgs(orphan));
        continue;
      }
      const { way, claimsWhenDeleted, namespace, set, owner } = orphan;
      new ManifestSet(name, {
        ...way,
        namespace,
        name: set,
        objects: [],
        adopt: owner,
        ...(claimsWhenDeleted && { claimsWhenDeleted }),
      });
    }
    return Promise.resolve();
  };
}

function shootArgs({ garden, spec, shoot, owner }: ShootOrphan): ShootArgs {
  const { kubeconfig, context, cluster } = garden;
  const { apiVersion, kind } = shoot;
  const { namespace, name } = shoot.metadata;
  const { timeouts, allowForceDeletion } = spec ?? garden;
  const wanted = { apiVersion, kind, metadata: { namespace, name }, spec: {} };
  return {
    ...{ kubeconfig, context, cluster, shoot: wanted, adopt: owner },
    ...{ timeouts: timeouts as Record<string, number>, allowForceDeletion },
  };
}

/** Revokes the access to the database. */
function databaseArgs({ spec, noted }: DatabaseOrphan): ClickHouseDatabaseArgs {
  const { url, cluster, databaseWhenDeleted: whenDeleted } = spec;
  const { database, instance, platform, deployment, provisioner } = noted;
  const owner = `${platform}/${deployment}`;
  const known = { ...(cluster && { cluster }), ...(provisioner && { provisioner }) };
  return { url, ...known, database, user: database, owner, access: false, whenDeleted, adopt: instance };
}

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

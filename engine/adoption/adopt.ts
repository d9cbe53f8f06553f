import { wantedProvisioner } from "../../components/runtime/choice";
import { connect } from "../../kubernetes/connect/connect";
import { refOf } from "../../kubernetes/objects/objects";
import { SLOT_ALLOCATION } from "../../components/resources/tokens";
import { withAuthentication } from "../../kubernetes/gardener/existing";
import { wantsHibernation } from "../../kubernetes/gardener/shoot";
import { asDescribed } from "../../kubernetes/gardener/versionFields";
import { DIFFERS } from "../../provider/resources/manifestSet/takeOver";
import { pulumi } from "../pulumi/pulumi";
import { Failure, UsageError } from "../../foundation/errors";
import type { Workspace } from "../../foundation/pulumi/backend";
import { readPlatform } from "../stack/platformOutputs";
import { previewUp } from "../runtime/preview";
import { updateRuntime } from "../runtime/up";
import { Planned } from "../update/planned";
import type { RuntimeOptions } from "../runtime/operate";
import { readRuntimeConfig } from "../runtime/project";
import type { Result } from "../runtime/result";
import type { DeploymentChange, RuntimeChange } from "../stack/change";
import { StackFile } from "../stack/file";
import { platformReference, RUNTIME_PROJECT } from "../stack/names";
import type { ResourceState } from "../state/checkpoint";
import { withStore } from "../state/store";
import { foundDatabase } from "./adoptDatabase";
import { clusterRequestOf } from "./gardener/seen";
import { type DatabaseOrphan, type RuntimeOrphan, type SetOrphan, type ShootOrphan } from "../orphans/orphan";
import { isProtected, offerToStack } from "../orphans/kinds";
import { seenIn } from "./seen";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";

const WORKLOADS = new Set(["StatefulSet", "Deployment"]);
const PATIENCE_MS = 5_000;

/** What an adoption takes over. */
export interface Adoption {
  readonly orphan: RuntimeOrphan;
  readonly change: RuntimeChange;
  readonly options: RuntimeOptions;
  /** How the parts differ from what the next update would apply, a line for each field. */
  readonly differences: readonly string[];
}

/**
 * Plans the adoption of an orphan, and changes nothing. The deployment's fields come from the command line, then from
 * the objects or slots, then from the stack file of this checkout. Throws if the orphan can't be adopted.
 */
export async function planAdoption(
  orphan: RuntimeOrphan,
  parts: readonly (SetOrphan | DatabaseOrphan)[],
  asked: DeploymentChange,
  given: RuntimeOptions,
): Promise<Adoption> {
  const { id } = orphan;
  await refuseStack(orphan, given.runtimes);
  const database = await foundDatabase(id, parts, orphan);
  const change = await changeFor(orphan, asked, given, database?.resources);
  const options = {
    ...given,
    command: "runtime adopt",
    // Its stack was lost, so the file describes it still.
    fromFile: true,
    adopt: orphan.type === "static" ? undefined : orphan.owner,
    adoptedDatabase: database?.adopted,
  };
  // Slots are taken over as they are: a request that differs was refused above.
  const differences = orphan.type === "static" ? [] : await differencesIn(id, change, options);
  return { orphan, change, options, differences };
}

async function differencesIn(id: string, change: RuntimeChange, options: RuntimeOptions): Promise<string[]> {
  const planned = new Planned();
  const result = await previewUp(id, change, { ...options, onEvent: (event) => planned.event(event) });
  if (!result.ok) throw new Failure(result.errors.join("\n"));
  return planned.notes
    .filter((note) => note.includes(DIFFERS))
    .flatMap((note) => note.split("\n").slice(1))
    .map((line) => line.replace(/^ *- /, ""));
}

/**
 * Carries out a planned adoption: creates a stack for the orphan whose state contains what exists, including its
 * database. Creates, changes and deletes no resources.
 */
export async function adopt({ orphan, change, options, differences }: Adoption): Promise<Result> {
  const { id } = orphan;
  await offerToStack(orphan, id, options.runtimes);
  const result = await updateRuntime(id, change, options);
  if (!result.ok || differences.length === 0) return result;
  // A refresh records the objects as they are, so that the next preview and update show the differences and fix them.
  await pulumi(["refresh", "--stack", id, "--yes", "--skip-preview"], options.runtimes);
  const note = `see what the next update would change with: stackyard runtime preview ${id}`;
  options.onNote?.(note);
  return { ...result, notes: [...result.notes, note] };
}

/** A stack with other slots than those in the ledger takes these over. */
async function refuseStack(orphan: RuntimeOrphan, workspace: Workspace): Promise<void> {
  const { id } = orphan;
  const state = await withStore(workspace, (store) => store.find(RUNTIME_PROJECT, id));
  const { resources = [], begun = [], pending = 0 } = state ?? {};
  const has = [...resources, ...begun].filter(({ custom, type }) => custom === true && type.startsWith("stackyard:"));
  const others = has.filter(({ type, inputs }) => !isOfSlots(orphan, type, inputs));
  if (others.length === 0 && (pending === 0 || has.length > 0)) return;
  throw new Failure(
    `${id} has a stack with a runtime at another place, and a runtime has one place. Remove the orphan with: ` +
      `stackyard runtime remove-orphan ${id}; or destroy the other one first: stackyard runtime destroy ${id}`,
  );
}

const isOfSlots = (orphan: RuntimeOrphan, type: string, { pool, deployment }: ResourceState["inputs"] = {}): boolean =>
  orphan.type === "static" && type === SLOT_ALLOCATION && pool === orphan.spec.pool && deployment === orphan.id;

async function changeFor(
  orphan: RuntimeOrphan,
  asked: DeploymentChange,
  options: RuntimeOptions,
  resources: DeploymentChange["resources"],
): Promise<RuntimeChange> {
  const { id, provisioner } = orphan;
  const [platform, file] = await Promise.all([
    readPlatform(options.platforms, orphan.platform),
    StackFile.read(options.runtimes.folder, id),
  ]);
  const inFile = (readRuntimeConfig(file).deployment ?? {}) as DeploymentChange;
  const seen = await lookAt(orphan, platform.slot, inFile);
  const given = withoutUndefined(asked);
  const kept = isProtected(orphan) && { protected: true };
  const deployment = { ...seen, ...(resources && { resources }), ...kept, ...given };
  if (orphan.type === "static" && deployment.slots !== orphan.slots) {
    throw new UsageError(`--slots: found ${deployment.slots}; ${id} has ${orphan.slots}, and adopting changes nothing`);
  }
  const needed = orphan.type === "gardener" ? [] : (["slots", "version"] as const);
  const missing = needed.filter((key) => (deployment[key] ?? inFile[key]) === undefined);
  if (missing.length > 0) {
    const flags = missing.map((key) => `--${key}`).join(" and ");
    throw new UsageError(`${id} does not show its ${missing.join(" and ")}; give the original request with ${flags}`);
  }
  const environment = deployment.environment ?? inFile.environment ?? "prod";
  const asFile = {
    id,
    slots: 1,
    version: "",
    annotations: {},
    state: "running" as const,
    provisioner: inFile.provisioner,
  };
  const chosen = wantedProvisioner(platform, { ...asFile, environment });
  const named = chosen.provisioner === provisioner ? {} : { provisioner };
  return { deployment: { ...deployment, ...named }, platform: platformReference(orphan.platform) };
}

function lookAt(
  orphan: RuntimeOrphan,
  slot: Parameters<typeof seenIn>[2],
  inFile: DeploymentChange,
): DeploymentChange | Promise<DeploymentChange> {
  if (orphan.type === "static") return { slots: orphan.slots };
  return orphan.type === "gardener" ? clusterOf(orphan, inFile) : seenOf(orphan, slot);
}

/** The list of administrators is only in the cluster itself, so it comes from the stack file. */
async function clusterOf(
  { id, spec, shoot, garden, provisioner, platform }: ShootOrphan,
  inFile: DeploymentChange,
): Promise<DeploymentChange> {
  if (spec === undefined) throw new Failure(withoutProvisioner(id, provisioner, platform));
  const client = connect(garden.kubeconfig, garden.context, { patienceMs: PATIENCE_MS });
  const described = asDescribed(await withAuthentication(client, shoot));
  const administrators = inFile.cluster?.administrators;
  return {
    cluster: { ...clusterRequestOf(described), ...(administrators && { administrators }) },
    ...(wantsHibernation(shoot) && { state: "hibernated" as const }),
  };
}

const withoutProvisioner = (id: string, provisioner: string, platform: string): string =>
  `${id} is with provisioner "${provisioner}", which is not in the set of platform ${platform} any more. Put it back, or ` +
  `remove the orphan with: stackyard runtime remove-orphan ${id}`;

async function seenOf(orphan: SetOrphan, slot: Parameters<typeof seenIn>[2]): Promise<DeploymentChange> {
  const { id, spec, way, objects, namespace, provisioner, platform } = orphan;
  if (spec === undefined) {
    throw new Failure(withoutProvisioner(id, provisioner, platform));
  }
  if (spec.namespace !== namespace) {
    throw new Failure(
      `${id} is in namespace ${namespace}; its provisioner "${provisioner}" has namespace ${spec.namespace} now. Restore that ` +
        "namespace for as long as this command runs; afterwards the runtime stays where it is",
    );
  }
  const client = connect(way.kubeconfig, way.context, { patienceMs: PATIENCE_MS });
  const workloads = objects.map(refOf).filter(({ kind }) => WORKLOADS.has(kind));
  const live = await Promise.all(workloads.map((ref) => client.get(ref)));
  return seenIn(
    live.filter((object) => object !== undefined),
    spec,
    slot,
  );
}

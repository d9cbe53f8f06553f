import { wantedProvisioner } from "../../components/runtime/choice";
import type { AdoptedDatabase } from "../../components/runtime/clickhouse/adopted";
import { PASSWORD_ANNOTATION } from "../../components/runtime/clickhouse/restart";
import { connect } from "../../kubernetes/connect/connect";
import { refOf, type KubeObject, textAt } from "../../kubernetes/objects/objects";
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
import { withStore } from "../pulumi/state/store";
import { adoptionOf } from "./kinds";
import type { DatabaseOrphan, RuntimeOrphan, SetOrphan, Orphan } from "../orphans/orphan";
import { isProtected, offerToStack } from "../orphans/kinds";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";

const PATIENCE_MS = 5_000;

/** The existing parts of a deployment's database, and the request that matches them. */
interface FoundDatabase {
  readonly adopted: AdoptedDatabase;
  readonly resources: NonNullable<DeploymentChange["resources"]>;
}

/** Finds the database, with the password from its Secret. Undefined if there are no parts. */
async function foundDatabase(
  id: string,
  parts: readonly (SetOrphan | DatabaseOrphan)[],
  runtime: Orphan,
): Promise<FoundDatabase | undefined> {
  const [first] = parts;
  if (first === undefined) return undefined;
  const provisioners = [...new Set(parts.map(({ provisioner }) => provisioner))];
  if (provisioners.length > 1) {
    throw new Failure(
      `${id} has databases with several ClickHouse provisioners, and a deployment has one: ${provisioners.join(", ")}. ` +
        `Remove what is not needed: stackyard runtime remove-orphan ${id} --provisioner NAME`,
    );
  }
  const sets = parts.filter((part) => part.type === "kubernetes");
  const database = parts.find((part) => part.type === "clickhouse");
  const password = await passwordIn(sets);
  const passwordVersion = await versionIn(runtime.type === "kubernetes" ? [runtime, ...sets] : sets);
  return {
    adopted: {
      sets: Object.fromEntries(sets.map(({ set, owner }) => [set, owner])),
      ...(database && { instance: database.noted.instance, database: database.noted.database }),
      ...(password !== undefined && { password }),
    },
    resources: { clickhouse: { provisioner: first.provisioner, ...passwordVersion } },
  };
}

async function passwordIn(sets: readonly SetOrphan[]): Promise<string | undefined> {
  for (const secret of await liveIn(sets, ["Secret"])) {
    const encoded = textAt(secret, "data", "password");
    if (encoded !== undefined) return Buffer.from(encoded, "base64").toString();
  }
  return undefined;
}

/** Reads the password's version from the pods; empty for the first version. */
async function versionIn(sets: readonly SetOrphan[]): Promise<{ readonly passwordVersion?: number }> {
  for (const workload of await liveIn(sets, ["StatefulSet", "Deployment"])) {
    const version = textAt(workload, "spec", "template", "metadata", "annotations", PASSWORD_ANNOTATION);
    const [, own] = /\.(\d+)$/.exec(version ?? "") ?? [];
    if (own !== undefined) return own === "1" ? {} : { passwordVersion: Number(own) };
  }
  return {};
}

async function liveIn(sets: readonly SetOrphan[], kinds: readonly string[]): Promise<KubeObject[]> {
  const found = sets.flatMap(({ way, objects }) => {
    const client = connect(way.kubeconfig, way.context, { patienceMs: PATIENCE_MS });
    const refs = objects.map(refOf).filter(({ kind }) => kinds.includes(kind));
    return refs.map((ref) => client.get(ref));
  });
  return (await Promise.all(found)).filter((object) => object !== undefined);
}

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
    adopt: adoptionOf(orphan).owner?.(orphan),
    adoptedDatabase: database?.adopted,
  };
  // Slots are taken over as they are: a request that differs was refused above.
  const differences = options.adopt === undefined ? [] : await differencesIn(id, change, options);
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
  const others = has.filter((resource) => !adoptionOf(orphan).isSame?.(orphan, resource));
  if (others.length === 0 && (pending === 0 || has.length > 0)) return;
  throw new Failure(
    `${id} has a stack with a runtime at another place, and a runtime has one place. Remove the orphan with: ` +
      `stackyard runtime remove-orphan ${id}; or destroy the other one first: stackyard runtime destroy ${id}`,
  );
}

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
  const kind = adoptionOf(orphan);
  const seen = await kind.seen(orphan, { slot: platform.slot, inFile });
  const given = withoutUndefined(asked);
  const kept = isProtected(orphan) && { protected: true };
  const deployment = { ...seen, ...(resources && { resources }), ...kept, ...given };
  kind.check?.(orphan, deployment);
  const missing = kind.needed.filter((key) => (deployment[key] ?? inFile[key]) === undefined);
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

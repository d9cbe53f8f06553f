import * as pulumi from "@pulumi/pulumi";
import type { StateResources } from "../../resources/ownState";
import { setNameOf } from "../../../foundation/pulumi/setName";
import { HELM_RELEASE, MANIFEST_SET } from "../../resources/tokens";
import type { PlannedRelease } from "../../charts/plannedRelease";
import type { ClusterConfig } from "../../cluster/clusterConfig";

interface ReleasesAnswer {
  readonly found: readonly string[];
  readonly offered?: readonly string[];
  readonly revisions?: readonly number[];
  readonly trouble?: string;
}

/** What a cluster has of a platform's Helm releases. */
export interface Releases {
  /** See `Site`. */
  readonly offered: readonly string[];
  /** Faults of those that are gone, a line each. */
  readonly gone: readonly string[];
}

const NONE: Releases = { offered: [], gone: [] };

/**
 * Rejects a new release whose name or cluster-scoped objects already exist on the cluster: from another platform on the
 * same cluster, or installed manually. Helm would fail only during the update. Checks only releases that are new,
 * or whose names come from values, which may change, on an existing cluster. Returns those that this stack imports, as
 * namespace/name: their owner has offered them, or an interrupted update of this stack has taken the record already; and
 * those that are gone. Helm's provider compares nothing with the cluster.
 */
export async function checkReleases(
  cluster: ClusterConfig | undefined,
  planned: readonly PlannedRelease[],
  state: Promise<StateResources>,
): Promise<Releases> {
  if (cluster === undefined || planned.length === 0) return NONE;
  const installed = Object.entries(await state).filter(([, { type }]) => type === HELM_RELEASE);
  const own = new Set(installed.map(([, { outputs }]) => `${String(outputs["namespace"])}/${String(outputs["name"])}`));
  const isOthers = cluster.type === "existing";
  const fresh = planned.filter(
    ({ name, namespace, isRenamed }) => isOthers && (isRenamed || !own.has(`${namespace}/${name}`)),
  );
  const known = installedAmong(
    planned,
    installed.map(([, { outputs }]) => outputs),
  );
  if (fresh.length === 0 && known.length === 0) return NONE;
  const sets = Object.values(await state).filter(({ type }) => type === MANIFEST_SET);
  const setOf = ({ owner: { namespace, name } }: PlannedRelease) =>
    sets.find(({ outputs }) => outputs["namespace"] === namespace && setNameOf(outputs) === name)?.outputs;
  const idOf = (one: PlannedRelease): { readonly id?: unknown } => {
    const set = setOf(one);
    return set ? { id: set["ownerId"] } : {};
  };
  // A cluster that the platform created is reached as the records of its releases are.
  const access = cluster.type === "existing" ? cluster.access : known.map(setOf).find((set) => set !== undefined);
  if (access === undefined) return NONE;
  const { kubeconfig, context } = access;
  const {
    found,
    offered = [],
    revisions = [],
    trouble,
  } = (await pulumi.runtime.invoke("stackyard:index:readReleases", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    stack: `${pulumi.getProject()}/${pulumi.getStack()}`,
    releases: fresh.map((one) => ({
      name: one.name,
      namespace: one.namespace,
      owner: { ...one.owner, ...idOf(one) },
      objects: one.objects,
      ...(one.apiService !== undefined && { apiService: one.apiService }),
    })),
    own: [...own],
    installed: known.map(({ name, namespace, revision }) => ({ name, namespace, revision })),
  })) as ReleasesAnswer;
  // If the cluster has a problem, the first resource reports it.
  if (trouble !== undefined) await pulumi.log.debug(`Whether releases are there is not known: ${trouble}`);
  const faults = fresh.flatMap(({ path, expected }, index) => {
    const other = found[index] ?? "";
    return other === "" ? [] : [`  - stackyard:${path}: found ${other}; expected ${expected}`];
  });
  if (faults.length === 0) return { offered, gone: await lostAmong(known, revisions) };
  throw new pulumi.RunError(
    [
      "The cluster has Helm releases that this stack does not own; nothing was changed.",
      ...faults,
      "If an interrupted update of this stack left one, which no other platform uses, remove it: helm uninstall NAME --namespace NAMESPACE",
    ].join("\n"),
  );
}

interface Known extends PlannedRelease {
  /** In the state. */
  readonly revision: number;
}

/** Planned releases that the state has too. */
const installedAmong = (
  planned: readonly PlannedRelease[],
  states: readonly StateResources[string]["outputs"][],
): Known[] =>
  planned.flatMap((one) => {
    const found = states.find(({ name, namespace }) => name === one.name && namespace === one.namespace);
    const { revision } = (found?.["status"] ?? {}) as { readonly revision?: unknown };
    return typeof revision === "number" ? [{ ...one, revision }] : [];
  });

/** Warns of releases that others have changed, and returns the faults of those that are gone. */
async function lostAmong(known: readonly Known[], revisions: readonly number[]): Promise<string[]> {
  const newest = known.map((one, index) => ({ ...one, newest: revisions[index] ?? one.revision }));
  for (const { namespace, name, revision, newest: found } of newest) {
    if (found === 0 || found <= revision) continue;
    await pulumi.log.warn(
      `Helm release ${namespace}/${name} has revision ${found}, and this stack has installed revision ${revision}: another tool has ` +
        `changed it, or an update failed. Its values may differ. ${remedy()}`,
    );
  }
  return newest.flatMap(({ path, namespace, name, newest: found }) =>
    found === 0 ? [`  - stackyard:${path}: Helm release ${name} in namespace ${namespace} is gone`] : [],
  );
}

/** Throws if releases of this stack are gone. Only a refresh makes the next update install them again. */
export function refuseGone({ gone }: Releases): void {
  if (gone.length === 0) return;
  throw new pulumi.RunError(
    ["The cluster does not have Helm releases of this stack any more; nothing was changed.", ...gone, remedy()].join(
      "\n",
    ),
  );
}

function remedy(): string {
  const stack = pulumi.getStack();
  return `To install what this stack wants: pulumi refresh --stack ${stack}; pulumi up --stack ${stack}`;
}

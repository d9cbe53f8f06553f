import * as pulumi from "@pulumi/pulumi";
import type { StateResources } from "../../resources/ownState";
import { setNameOf } from "../../../foundation/pulumi/setName";
import { HELM_RELEASE, MANIFEST_SET } from "../../resources/tokens";
import type { PlannedRelease } from "../../charts/plannedRelease";
import type { ClusterConfig } from "../../cluster/clusterConfig";

interface ReleasesAnswer {
  readonly found: readonly string[];
  readonly offered?: readonly string[];
  readonly trouble?: string;
}

/**
 * Rejects a new release whose name or cluster-scoped objects already exist on the cluster: from another platform on the
 * same cluster, or installed manually. Helm would fail only during the update. Checks only releases that are new,
 * or whose names come from values, which may change. Returns those that this stack imports, as namespace/name: their
 * owner has offered them, or an interrupted update of this stack has taken the record already.
 */
export async function checkReleases(
  cluster: ClusterConfig | undefined,
  planned: readonly PlannedRelease[],
  state: Promise<StateResources>,
): Promise<readonly string[]> {
  if (cluster?.type !== "existing" || planned.length === 0) return [];
  const installed = Object.entries(await state).filter(([, { type }]) => type === HELM_RELEASE);
  const own = new Set(installed.map(([, { outputs }]) => `${String(outputs["namespace"])}/${String(outputs["name"])}`));
  const fresh = planned.filter(({ name, namespace, isRenamed }) => isRenamed || !own.has(`${namespace}/${name}`));
  if (fresh.length === 0) return [];
  const sets = Object.values(await state).filter(({ type }) => type === MANIFEST_SET);
  const idOf = ({ namespace, name }: PlannedRelease["owner"]): { readonly id?: unknown } => {
    const set = sets.find(({ outputs }) => outputs["namespace"] === namespace && setNameOf(outputs) === name);
    return set ? { id: set.outputs["ownerId"] } : {};
  };
  const { kubeconfig, context } = cluster.access;
  const {
    found,
    offered = [],
    trouble,
  } = (await pulumi.runtime.invoke("stackyard:index:readReleases", {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    stack: `${pulumi.getProject()}/${pulumi.getStack()}`,
    releases: fresh.map(({ name, namespace, owner, objects, apiService }) => ({
      name,
      namespace,
      owner: { ...owner, ...idOf(owner) },
      objects,
      ...(apiService !== undefined && { apiService }),
    })),
    own: [...own],
  })) as ReleasesAnswer;
  // If the cluster has a problem, the first resource reports it.
  if (trouble !== undefined) await pulumi.log.debug(`Whether releases are there is not known: ${trouble}`);
  const faults = fresh.flatMap(({ path, expected }, index) => {
    const other = found[index] ?? "";
    return other === "" ? [] : [`  - stackyard:${path}: found ${other}; expected ${expected}`];
  });
  if (faults.length === 0) return offered;
  throw new pulumi.RunError(
    [
      "The cluster has Helm releases that this stack does not own; nothing was changed.",
      ...faults,
      "If an interrupted update of this stack left one, which no other platform uses, remove it: helm uninstall NAME --namespace NAMESPACE",
    ].join("\n"),
  );
}

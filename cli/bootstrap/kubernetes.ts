import { asYaml } from "../../bundles/permissions/rbac/role";
import { BUNDLE_RELEASE, MANIFEST_SET } from "../../components/resources/tokens";
import { exportedState } from "../../engine/stack/exported";
import { clientOf } from "../../engine/stack/cluster";
import type { ResourceState } from "../../engine/pulumi/state/checkpoint";
import { Failure } from "../../foundation/errors";
import { groupOf, parseInventoryKey } from "../../kubernetes/objects/objects";
import { RBAC } from "../../kubernetes/objects/rbac";
import type { Context } from "../context";
import { describedStack, workspaceOf } from "../project/stacks";

export interface ReaderOptions {
  readonly name: string;
  readonly group: string;
}

/** What previews of every feature ask, apart from the objects of the stack. Resources by API group. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  "": [
    "configmaps",
    "events",
    "namespaces",
    "nodes",
    "persistentvolumeclaims",
    "persistentvolumes",
    "pods",
    "services",
  ],
  "apiextensions.k8s.io": ["customresourcedefinitions"],
  "apiregistration.k8s.io": ["apiservices"],
  apps: ["deployments", "statefulsets"],
  "networking.k8s.io": ["ingressclasses", "ingresses"],
  [RBAC]: ["clusterrolebindings", "clusterroles", "rolebindings", "roles"],
  "scheduling.k8s.io": ["priorityclasses"],
  "storage.k8s.io": ["storageclasses"],
};
const PATIENCE_MS = 5_000;

/** Prints a ClusterRole that may read what previews of a stack ask, without Secrets, and binds it to a group. */
export async function printReader(context: Context, id: string, { name, group }: ReaderOptions): Promise<void> {
  const stack = await describedStack(context.root, id);
  const { resources } = await exportedState(stack.name, workspaceOf(context, stack));
  const owners = resources.filter(({ type }) => type === MANIFEST_SET || type === BUNDLE_RELEASE);
  const [first] = owners;
  if (!first) {
    throw new Failure(
      `stack ${id} has no objects in a cluster yet, so it is unknown what its previews read; run this after its first update. ` +
        `Until then, bind the role view: kubectl create clusterrolebinding ${name} --clusterrole=view --group=` +
        group,
    );
  }
  context.print(readerYaml(await resourcesOf(first, owners), { name, group }));
}

/** Names of resources by API group, as the cluster has them. */
async function resourcesOf(first: ResourceState, owners: readonly ResourceState[]): Promise<[string, string][]> {
  const { discovery } = clientOf(first, PATIENCE_MS);
  const keys = owners.flatMap(({ outputs }) => (outputs?.["inventory"] ?? []) as string[]);
  const kinds = new Map(
    keys.map(parseInventoryKey).map((ref) => [`${ref.apiVersion}/${ref.kind}`, ref] as const),
  ).values();
  return Promise.all(
    [...kinds].map(async ({ apiVersion, kind }): Promise<[string, string]> => {
      const { plural } = await discovery.resource(apiVersion, kind);
      return [groupOf(apiVersion), plural];
    }),
  );
}

/** Pure. */
export function readerYaml(found: readonly (readonly [string, string])[], { name, group }: ReaderOptions): string {
  const always = Object.entries(ALWAYS).flatMap(([api, names]) => names.map((each) => [api, each] as const));
  const byGroup = new Map<string, Set<string>>();
  for (const [api, resource] of [...always, ...found]) {
    if (api === "" && resource === "secrets") continue;
    byGroup.set(api, (byGroup.get(api) ?? new Set()).add(resource));
  }
  const rules = [...byGroup]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([api, names]) => ({ apiGroups: [api], resources: [...names].sort(), verbs: ["get", "list"] }));
  const apiVersion = `${RBAC}/v1`;
  const roleRef = { apiGroup: RBAC, kind: "ClusterRole", name };
  const subjects = [{ apiGroup: RBAC, kind: "Group", name: group }];
  return asYaml([
    { apiVersion, kind: "ClusterRole", metadata: { name }, rules },
    { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, roleRef, subjects },
  ]).trimEnd();
}

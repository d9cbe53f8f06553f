import * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "../cluster/access/kubeconfig";
import type { Cluster } from "../cluster/cluster";
import { namespaceObjects } from "../namespaces/plan";
import { ManifestSet } from "../resources/manifestSet";
import { planNamespaces } from "./plan";
import type { ProvisionerConfig } from "../runtime/types/provisionerType";

export interface NamespacesArgs {
  /** Provisioners by name. Plain, because each is a resource. */
  readonly provisioners: Readonly<Record<string, ProvisionerConfig>>;
  /** The platform's cluster. Required if a provisioner in a cluster has no access of its own. */
  readonly cluster?: Cluster;
  /** Server URL of that cluster, if known. Used to recognize a provisioner's own kubeconfig for the same cluster. */
  readonly clusterServer?: string;
}

/** Creates one ManifestSet per namespace, so that removing one from the config does not affect the others. */
export function createNamespaces(
  name: string,
  args: NamespacesArgs,
  parent: pulumi.Resource | undefined,
): readonly ManifestSet[] {
  const planned = planNamespaces(args.provisioners, args.clusterServer);
  return planned.map(({ key, formerKey, namespace, access, users }) => {
    const way = access === undefined ? args.cluster?.access : accessTo(access);
    if (way === undefined) throw missing("cluster", `the namespace ${namespace} is to be made in the platform's`);
    const objects = namespaceObjects(namespace, users);
    const aliases = formerKey === undefined ? [] : [{ name: `${name}-${formerKey}` }];
    // The namespace may contain runtimes and their disks, which only runtime stacks may delete.
    const set = { ...way, name: "namespace", namespace, objects, shared: true, retained: true };
    return new ManifestSet(`${name}-${key}`, set, { parent, aliases });
  });
}

/** A provisioner's own access, as arguments of a ManifestSet. */
export const accessTo = ({ kubeconfig, context, server }: ClusterAccess): Cluster["access"] => ({
  kubeconfig: kubeconfig && pulumi.secret(kubeconfig),
  context,
  cluster: server,
});

export function missing(propertyPath: string, because: string): Error {
  return new pulumi.InputPropertyError({ propertyPath, reason: `missing, but ${because}` });
}

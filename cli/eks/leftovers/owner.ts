/** Owner of an AWS resource, from the tags of Kubernetes controllers. Pure. */

type Tags = Readonly<Record<string, string>>;

/** The Kubernetes object that a controller created a resource for. */
export interface OwningObject {
  readonly kind: "claim" | "Service" | "Ingress";
  readonly namespace: string;
  readonly name: string;
}

/** Tags by which controllers find what they created for the cluster. */
export const clusterTags = (name: string): readonly (readonly [key: string, value: string])[] => [
  [`kubernetes.io/cluster/${name}`, "owned"],
  ["elbv2.k8s.aws/cluster", name],
  ["eks:eks-cluster-name", name],
  ["cluster.k8s.amazonaws.com/name", name],
  ["aws:eks:cluster-name", name],
];

export const isOfCluster = (tags: Tags, name: string): boolean =>
  clusterTags(name).some(([key, value]) => tags[key] === value);

const SERVICE = ["kubernetes.io/service-name", "service.k8s.aws/stack", "service.eks.amazonaws.com/stack"];
const INGRESS = ["ingress.k8s.aws/stack", "ingress.eks.amazonaws.com/stack"];

export function ownerOf(tags: Tags): OwningObject | undefined {
  const claim = tags["kubernetes.io/created-for/pvc/name"];
  if (claim !== undefined) {
    return { kind: "claim", namespace: tags["kubernetes.io/created-for/pvc/namespace"] ?? "", name: claim };
  }
  return objectOf("Service", tags, SERVICE) ?? objectOf("Ingress", tags, INGRESS);
}

/** A group of Ingresses has its own name, which is not the name of an object. */
function objectOf(kind: "Service" | "Ingress", tags: Tags, keys: readonly string[]): OwningObject | undefined {
  const value = keys.map((key) => tags[key]).find((one) => one !== undefined);
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(value ?? "") ?? [];
  return namespace === undefined || name === undefined ? undefined : { kind, namespace, name };
}

/** Which objects of a cluster hold load balancers that nothing deletes with the cluster. Pure. */

import { BUNDLE_LABEL, SET_LABEL, SET_NAMESPACE_LABEL } from "../../../kubernetes/apply/ownership";
import { textAt, type KubeObject } from "../../../kubernetes/client/objects";
import { BUNDLE_NAMESPACE_LABEL } from "../bundleRelease/live/applySet";

/** What the stack has in the cluster, and deletes before it. */
export interface BalancerOwner {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
}

/** Finalizers by which a controller keeps an Ingress until its load balancer is deleted; one of nginx has none. */
const OF_CONTROLLER = /(^|\.)ingress\.(k8s\.aws|eks\.amazonaws\.com)\//;

/** Whether a load balancer outside the cluster belongs to it. */
const holdsBalancer = (object: KubeObject): boolean =>
  object.kind === "Service"
    ? textAt(object, "spec", "type") === "LoadBalancer"
    : (object.metadata.finalizers ?? []).some((finalizer) => OF_CONTROLLER.test(finalizer));

const keyOf = (type: string, namespace: string | undefined, name: string | undefined): string =>
  `${type} ${namespace}/${name}`;

/** Who deletes an object: a set, a bundle, a Helm release. */
function ownersOf({ metadata: { labels = {}, annotations = {} } }: KubeObject): string[] {
  return [
    keyOf("set", labels[SET_NAMESPACE_LABEL], labels[SET_LABEL]),
    keyOf("bundle", labels[BUNDLE_NAMESPACE_LABEL], labels[BUNDLE_LABEL]),
    keyOf("release", annotations["meta.helm.sh/release-namespace"], annotations["meta.helm.sh/release-name"]),
  ];
}

/** Services and Ingresses that hold a load balancer and stay when the stack's own are gone, in one order. */
export function standing(objects: readonly KubeObject[], owners: readonly BalancerOwner[]): KubeObject[] {
  const own = new Set(owners.map(({ type, namespace, name }) => keyOf(type, namespace, name)));
  return objects
    .filter((object) => holdsBalancer(object) && !ownersOf(object).some((owner) => own.has(owner)))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ kind, metadata: { namespace, name } }: KubeObject): string => `${namespace}/${kind}/${name}`;

/** The refusal: each object with the command that deletes it, and how to go on without. */
export function refusal(found: readonly KubeObject[], stack: string | undefined): string {
  const flags = stack === undefined ? "" : ` --stack ${stack}`;
  const lines = found.map(({ kind, metadata: { namespace, name } }) => {
    const command = `kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`;
    return `  ${kind} ${namespace}/${name}: ${command}`;
  });
  const what = found.length === 1 ? "1 object holds a load balancer" : `${found.length} objects hold load balancers`;
  return [
    `found ${what} that nothing deletes once the cluster is gone, and that keep its VPC from being deleted; nothing was changed:`,
    ...lines,
    "Those of runtimes go with them: stackyard runtime destroy ID. To delete the cluster all the same:",
    `  pulumi config set${flags} stackyard:allowLeftovers true`,
    `and afterwards delete what is left: stackyard eks leftovers${flags} --blocking`,
  ].join("\n");
}

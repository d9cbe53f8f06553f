/**
 * Finds the objects of a cluster that hold load balancers and volumes, which are not deleted with the cluster. Pure.
 */

import { BUNDLE_LABEL, SET_LABEL, SET_NAMESPACE_LABEL } from "../../../kubernetes/owners/ownership";
import { textAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { BUNDLE_NAMESPACE_LABEL } from "../bundleRelease/applySet";

/** Sets, bundles and releases that the stack deletes before the cluster. */
export interface BalancerOwner {
  readonly type: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Finalizers with which a controller keeps an Ingress or Gateway until its load balancer is deleted. ingress-nginx uses
 * none.
 */
const OF_CONTROLLER = /(^|\.)(ingress|gateway)\.(k8s\.aws|eks\.amazonaws\.com)\//;
/** EBS drivers: the one of the add-on, and the one of EKS Auto Mode. */
const EBS = new Set(["ebs.csi.aws.com", "ebs.csi.eks.amazonaws.com"]);
/** Maximum number of volumes to list. */
const SHOWN = 10;

/** Whether the object has a load balancer outside the cluster. */
const holdsBalancer = (object: KubeObject): boolean =>
  object.kind === "Service"
    ? textAt(object, "spec", "type") === "LoadBalancer"
    : (object.metadata.finalizers ?? []).some((finalizer) => OF_CONTROLLER.test(finalizer));

const keyOf = (type: string, namespace: string | undefined, name: string | undefined): string =>
  `${type} ${namespace}/${name}`;

/** Returns what deletes an object: a set, a bundle, a Helm release. */
function ownersOf({ metadata: { labels = {}, annotations = {} } }: KubeObject): string[] {
  return [
    keyOf("set", labels[SET_NAMESPACE_LABEL], labels[SET_LABEL]),
    keyOf("bundle", labels[BUNDLE_NAMESPACE_LABEL], labels[BUNDLE_LABEL]),
    keyOf("release", annotations["meta.helm.sh/release-namespace"], annotations["meta.helm.sh/release-name"]),
  ];
}

/**
 * Returns the Services, Ingresses and Gateways with a load balancer that remain after the stack's own objects are
 * deleted, sorted.
 */
export function standing(objects: readonly KubeObject[], owners: readonly BalancerOwner[]): KubeObject[] {
  const own = new Set(owners.map(({ type, namespace, name }) => keyOf(type, namespace, name)));
  return objects
    .filter((object) => holdsBalancer(object) && !ownersOf(object).some((owner) => own.has(owner)))
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ kind, metadata: { namespace, name } }: KubeObject): string => `${namespace}/${kind}/${name}`;

const flagsOf = (stack: string | undefined): string => (stack === undefined ? "" : ` --stack ${stack}`);

const linesOf = (found: readonly KubeObject[]): string[] =>
  found.map(({ kind, metadata: { namespace, name } }) => {
    const command = `kubectl -n ${namespace} delete ${kind.toLowerCase()} ${name}`;
    return `  ${kind} ${namespace}/${name}: ${command}`;
  });

const holders = ({ length }: readonly KubeObject[]): string =>
  length === 1 ? "1 object holds a load balancer" : `${length} objects hold load balancers`;

/** Error message: each object with the command that deletes it, and how to continue without deleting it. */
export function standingText(found: readonly KubeObject[], stack: string | undefined): string {
  const flags = flagsOf(stack);
  return [
    `found ${holders(found)} that nothing deletes once the cluster is gone, and that keep its VPC from being deleted; nothing was changed:`,
    ...linesOf(found),
    "Those of runtimes go with them: stackyard runtime destroy ID. To delete the cluster all the same:",
    `  pulumi config set${flags} stackyard:allowLeftovers true`,
    `and afterwards delete what is left: stackyard eks leftovers${flags} --blocking`,
  ].join("\n");
}

/** The message if they may stay. */
export const permitted = (found: readonly KubeObject[], stack: string | undefined): string =>
  [
    `${holders(found)} on AWS, where stackyard:allowLeftovers leaves it; until it is deleted, the VPC can't be:`,
    ...linesOf(found),
    `What is left on AWS: stackyard eks leftovers${flagsOf(stack)} --blocking`,
  ].join("\n");

/** Message about EBS volumes that remain after the cluster; undefined if there are none. */
export function volumesLeft(volumes: readonly KubeObject[], stack: string | undefined): string | undefined {
  const disks = volumes
    .filter((one) => EBS.has(textAt(one, "spec", "csi", "driver") ?? ""))
    .map((one) => {
      const claim = ["namespace", "name"].map((key) => textAt(one, "spec", "claimRef", key));
      const id = textAt(one, "spec", "csi", "volumeHandle") ?? one.metadata.name;
      const size = textAt(one, "spec", "capacity", "storage") ?? "unknown size";
      return `  ${claim[1] === undefined ? "no claim" : `claim ${claim.join("/")}`}: ${id} (${size})`;
    })
    .sort();
  if (disks.length === 0) return undefined;
  const count = disks.length === 1 ? "1 volume is" : `${disks.length} volumes are`;
  return [
    `${count} on AWS now; those whose claims this does not delete stay there, with their data:`,
    ...disks.slice(0, SHOWN),
    ...(disks.length > SHOWN ? [`  and ${disks.length - SHOWN} more`] : []),
    `What is left afterwards, with the commands that delete it: stackyard eks leftovers${flagsOf(stack)}`,
  ].join("\n");
}

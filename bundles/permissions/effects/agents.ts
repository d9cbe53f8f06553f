/** Finds annotations and labels that agents of a node or a cluster act upon. */

import { isCore, isCrd, isList, objectAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { isObject } from "../../../foundation/json/isObject";
import { audiencesOf, podSpecsIn } from "../pods";

/** Annotations of pods. */
const PODS =
  /^(iam\.amazonaws\.com|vault\.(hashicorp|security)\.|.*\.?cni\.cncf\.io|container\.apparmor\.security|.*\.injector\.|inject\.|injector\.)|\/(inject|role)(-|$)/;
/** Labels that do the same. */
const IDENTITIES = /^(aadpodidbinding|azure\.workload\.identity\/use)$/;
/** Annotations of Services: DNS records, and addresses and reach of load balancers. */
const SERVICES =
  /^(external-dns\.alpha\.kubernetes\.io|service(\.beta)?\.kubernetes\.io|networking\.gke\.io|cloud\.google\.com|metallb\.(io|universe\.tf)|lbipam\.cilium\.io)\//;
/** Annotations and labels of ConfigMaps and Secrets: copies between namespaces, and data sources of Grafana. */
const DATA =
  /^((reflector\.v1\.k8s\.emberstack\.com|replicator\.v1\.mittwald\.de|kubed\.appscode\.com|cert-manager\.io)\/|grafana_datasource$)/;

/** `has annotation iam.amazonaws.com/role web` for the object and its pod templates, and the tokens of its pods. */
export function agentsOf(object: KubeObject): string[] {
  if (isCrd(object)) return [];
  if (isCore(object, "Service")) return markedBy(object, SERVICES, SERVICES);
  if (isCore(object, "ConfigMap") || isCore(object, "Secret")) return markedBy(object, DATA, DATA);
  const specs = podSpecsIn(object);
  return specs.length === 0 ? [] : [...specs.flatMap(audiencesOf), ...markedBy(object, PODS, IDENTITIES)];
}

/** Matching annotations and labels, at any depth. */
function markedBy(value: unknown, annotations: RegExp, labels: RegExp): string[] {
  if (isList(value)) return value.flatMap((each) => markedBy(each, annotations, labels));
  if (!isObject(value)) return [];
  const own = ([key, is]: readonly [string, RegExp]): string[] =>
    Object.entries(objectAt(value, "metadata", key))
      .filter(([name]) => is.test(name))
      .map(([name, text]) => `has ${key.slice(0, -1)} ${name} ${String(text)}`);
  const found = [["annotations", annotations] as const, ["labels", labels] as const].flatMap(own);
  return [...found, ...Object.values(value).flatMap((each) => markedBy(each, annotations, labels))];
}

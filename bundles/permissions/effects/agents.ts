/** Finds annotations and labels that agents of a node or a cluster may act upon: all that no rule knows to be harmless. */

import { isCore, isCrd, isList, objectAt, type KubeObject } from "../../../kubernetes/objects/objects";
import { isObject } from "../../../foundation/json/isObject";
import { audiencesOf, podSpecsIn } from "../pods";
import { isDescriptive } from "./labels";

/** Kinds of the core group, beside those with pods, that others act upon by their annotations and labels. */
const ACTED_UPON = ["ConfigMap", "Namespace", "PersistentVolumeClaim", "Secret", "Service", "ServiceAccount"];

/** Keys that concern only the object itself, or what reads its logs and metrics. */
const HARMLESS = [
  /^([^/]*[-.])?checksum\/|\/(checksum|config-hash)$/,
  /^(prometheus\.io|co\.elastic\.(logs|metrics)|ad\.datadoghq\.com|fluentbit\.io|k8s\.grafana\.com)\//,
  /^kubectl\.kubernetes\.io\/(default-container|default-logs-container|last-applied-configuration|restartedAt)$/,
  /^kubernetes\.io\/(change-cause|description|metadata\.name|name|os|service-account\.name)$/,
  /^(deployment|cluster-autoscaler|descheduler\.alpha)\.kubernetes\.io\//,
  /^(karpenter\.sh\/do-not-disrupt|backup\.velero\.io\/backup-volumes(-excludes)?|linkerd\.io\/created-by)$/,
  /^(reloader\.stakater\.com|argocd\.argoproj\.io\/(sync|hook|compare).*|olm\..*)(\/|$)/,
  /^((features\.)?operators\.openshift\.io|(operators\.)?operatorframework\.io|app\.quarkus\.io|hub\.jupyter\.org)\//,
  /^(com\.redhat\..*|service\.istio\.io\/canonical-(name|revision))$/,
  /^service\.(kubernetes\.io\/topology-(mode|aware-hints)|alpha\.kubernetes\.io\/tolerate-unready-endpoints)$/,
  /^volume\.(alpha|beta)\.kubernetes\.io\/storage-class$/,
  /^eks\.amazonaws\.com\/(sts-regional-endpoints|token-expiration)$/,
  /^pod-security\.kubernetes\.io\/(enforce|audit|warn|audit-version|warn-version)$/,
];

/** Keys without a domain that agents read: identities, data sources of Grafana, settings of Jenkins and F5. */
const SHORT = /^(aadpodidbinding|grafana_(datasource|alert|notifier|plugin)|.*jenkins-config|as3|f5type)$/;

/** `has annotation iam.amazonaws.com/role web` for the object and its pod templates, and the tokens of its pods. */
export function agentsOf(object: KubeObject): string[] {
  if (isCrd(object)) return [];
  const specs = podSpecsIn(object);
  if (specs.length === 0 && !ACTED_UPON.some((kind) => isCore(object, kind))) return [];
  return [...specs.flatMap(audiencesOf), ...markedBy(object, isCore(object, "Namespace"))];
}

/** `all`: also keys without a domain, by which policies select namespaces. */
const isActedUpon = (key: string, all: boolean): boolean =>
  SHORT.test(key) || ((all || /[./]/.test(key)) && !isDescriptive(key) && !HARMLESS.some((known) => known.test(key)));

/** At any depth. */
function markedBy(value: unknown, all: boolean): string[] {
  if (isList(value)) return value.flatMap((each) => markedBy(each, all));
  if (!isObject(value)) return [];
  const found = ["annotations", "labels"].flatMap((key) =>
    Object.entries(objectAt(value, "metadata", key))
      .filter(([name]) => isActedUpon(name, all))
      .map(([name, text]) => `has ${key.slice(0, -1)} ${name} ${String(text)}`),
  );
  return [...found, ...Object.values(value).flatMap((each) => markedBy(each, all))];
}

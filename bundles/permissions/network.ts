/** Network access to and from pods that others did not choose: Services, endpoints, network policies. */

import { at, groupOf, isCore, isList, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { selectorText } from "../../kubernetes/objects/selector";
import { isObject, type Json } from "../../foundation/json/isObject";
import { contentHash } from "./effects/effects";

/**
 * Whose pods a NetworkPolicy selects: `own` only, those of the bundle that policies of others may isolate too (`shared`),
 * or `others`.
 */
export type OpenedPods = "own" | "shared" | "others";

/** As texts. `pods`: of a NetworkPolicy. */
export function networkAccess(object: KubeObject, pods: OpenedPods): string[] {
  const group = groupOf(object.apiVersion);
  if (isCore(object, "Service")) return ofService(object);
  if (isCore(object, "Endpoints"))
    return leadsTo(
      listAt(object, "subsets")
        .flatMap((one) => [...listAt(one, "addresses"), ...listAt(one, "notReadyAddresses")])
        .map((one) => textAt(one, "ip")),
    );
  if (group === "discovery.k8s.io" && object.kind === "EndpointSlice")
    return leadsTo(
      listAt(object, "endpoints").flatMap((one) => (isList(one["addresses"]) ? one["addresses"] : [])),
      object.metadata.labels?.["kubernetes.io/service-name"],
    );
  return isNetworkPolicy(object) && pods !== "own" ? ofPolicy(object, pods) : [];
}

export const isNetworkPolicy = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  groupOf(apiVersion) === "networking.k8s.io" && kind === "NetworkPolicy";

const leadsTo = (addresses: readonly unknown[], service?: string): string[] => {
  const found = [...new Set(addresses.filter((one) => typeof one === "string"))].sort();
  const from = service === undefined ? "" : ` from Service ${service}`;
  return found.length === 0 ? [] : [`leads${from} to ${found.join(", ")}`];
};

function ofService(object: KubeObject): string[] {
  const { spec } = object;
  const type = textAt(spec, "type");
  if (type === "ExternalName") return [`leads to ${textAt(spec, "externalName") ?? ""}`];
  const chosen = listAt(spec, "ports").flatMap(({ nodePort }) => (typeof nodePort === "number" ? [nodePort] : []));
  const address = textAt(spec, "clusterIP") ?? "";
  return [
    ...(["", "None"].includes(address) ? [] : [`has the address ${address} of its choice`]),
    ...(type === "NodePort" ? [`is open on every node (${["NodePort", ...chosen].join(" ")})`] : []),
    // Its annotations and source ranges decide how far outside.
    ...(type === "LoadBalancer"
      ? [`is open to outside of the cluster as LoadBalancer (content ${contentHash(object)})`]
      : []),
  ];
}

/** Policies are additive: no other policy can block what one allows. */
function ofPolicy(object: KubeObject, whose: OpenedPods): string[] {
  const { spec } = object;
  const selector = at(spec, "podSelector");
  const pods = excludes(selector) ? `pods with ${selectorText(selector)}` : "all pods of the namespace";
  const lets = (key: "ingress" | "egress", peers: "from" | "to", text: (who: string) => string): string[] => {
    const rules = listAt(spec, key);
    const isOpen = rules.some(({ [peers]: list }) => !isList(list) || !list.some(isObject) || list.some(isAnybody));
    if (isOpen) return [text(key === "ingress" ? "everybody" : "everything")];
    if (rules.length === 0 || whose === "shared") return [];
    return [`${text("those that it names")} (content ${contentHash(object)})`];
  };
  return [
    ...lets("ingress", "from", (who) => `lets ${who} reach ${pods}`),
    ...lets("egress", "to", (who) => `lets ${pods} reach ${who}`),
  ];
}

/** Whether a selector excludes anything, or more than a few. */
const excludes = (selector: unknown, more = false): boolean =>
  isObject(selector) &&
  (Object.keys(isObject(selector["matchLabels"]) ? selector["matchLabels"] : {}).length > 0 ||
    listAt(selector, "matchExpressions").some((one) => !more || isNarrow(one)));

/** Every namespace has its name as a label. */
const isNarrow = ({ key, operator }: Json): boolean =>
  operator === "In" || (operator === "Exists" && key !== "kubernetes.io/metadata.name");

function isAnybody(peer: unknown): boolean {
  if (!isObject(peer)) return false;
  const cidr = textAt(peer, "ipBlock", "cidr");
  if (cidr !== undefined) return NEARLY_ALL.test(cidr);
  const { namespaceSelector: namespaces, podSelector: pods } = peer;
  return isObject(namespaces) && !excludes(namespaces, true) && !excludes(pods, true);
}

/** Wider than the widest private network. */
const NEARLY_ALL = /\/[0-7]$/;

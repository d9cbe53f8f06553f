/** Network access to and from pods that others did not choose: Services, endpoints, network policies. */

import { at, groupOf, isCore, isList, listAt, textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

/** As texts. `isOwn`: a policy selects pods of the bundle, and no policy of others may select them. */
export function networkAccess(object: KubeObject, isOwn: boolean): string[] {
  const group = groupOf(object.apiVersion);
  if (isCore(object, "Service")) return ofService(object);
  if (isCore(object, "Endpoints"))
    return leadsTo(
      listAt(object, "subsets")
        .flatMap((one) => [...listAt(one, "addresses"), ...listAt(one, "notReadyAddresses")])
        .map((one) => textAt(one, "ip")),
    );
  if (group === "discovery.k8s.io" && object.kind === "EndpointSlice")
    return leadsTo(listAt(object, "endpoints").flatMap((one) => (isList(one["addresses"]) ? one["addresses"] : [])));
  return isNetworkPolicy(object) && !isOwn ? ofPolicy(object["spec"]) : [];
}

export const isNetworkPolicy = ({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): boolean =>
  groupOf(apiVersion) === "networking.k8s.io" && kind === "NetworkPolicy";

const leadsTo = (addresses: readonly unknown[]): string[] => {
  const found = [...new Set(addresses.filter((one) => typeof one === "string"))].sort();
  return found.length === 0 ? [] : [`leads to ${found.join(", ")}`];
};

function ofService({ spec }: KubeObject): string[] {
  const type = textAt(spec, "type");
  if (type === "ExternalName") return [`leads to ${textAt(spec, "externalName") ?? ""}`];
  if (type === "NodePort") return ["is open on every node (NodePort)"];
  return type === "LoadBalancer" ? ["is open to outside of the cluster (LoadBalancer)"] : [];
}

/** Policies are additive: no other policy can block what one allows. */
function ofPolicy(spec: unknown): string[] {
  const lets = (key: "ingress" | "egress", peers: "from" | "to"): boolean =>
    listAt(spec, key).some((rule) => {
      const list = rule[peers];
      return !isList(list) || list.length === 0 || list.filter(isObject).some(isAnybody);
    });
  const selector = at(spec, "podSelector");
  const pods = selects(selector) ? "pods that it chooses" : "all pods of the namespace";
  return [
    ...(lets("ingress", "from") ? [`lets everybody reach ${pods}`] : []),
    ...(lets("egress", "to") ? [`lets ${pods} reach everything`] : []),
  ];
}

/** Whether a selector excludes anything. */
const selects = (selector: unknown): boolean =>
  isObject(selector) &&
  (Object.keys(isObject(selector["matchLabels"]) ? selector["matchLabels"] : {}).length > 0 ||
    listAt(selector, "matchExpressions").length > 0);

function isAnybody(peer: Json): boolean {
  const cidr = textAt(peer, "ipBlock", "cidr");
  if (cidr !== undefined) return /\/0$/.test(cidr);
  return isObject(peer["namespaceSelector"]) && !selects(peer["namespaceSelector"]) && !selects(peer["podSelector"]);
}

import type { StateResource } from "../../../resources/ownState";
import { MANIFEST_SET } from "../../../resources/tokens";
import type { Manifest } from "../../templates/render";
import type { ClusterRecord, PresentCluster } from "./plan";

/** Finds the ClickHouse cluster among the resources of a state, by URN. */
export function clusterIn(resources: Readonly<Record<string, StateResource>>): PresentCluster | undefined {
  for (const { type, outputs } of Object.values(resources)) {
    const record = (outputs["record"] as { readonly clickhouse?: ClusterRecord } | undefined)?.clickhouse;
    if (type !== MANIFEST_SET || record === undefined) continue;
    const { kubeconfig, context, cluster, namespace, timeoutSeconds, claimsWhenDeleted, objects } = outputs;
    return {
      type: "kubernetes",
      isCreated: true,
      ...record,
      place: {
        ...(typeof kubeconfig === "string" ? { kubeconfig } : {}),
        ...(typeof context === "string" ? { context } : {}),
        cluster: String(cluster),
        namespace: String(namespace),
      },
      ...(typeof timeoutSeconds === "number" ? { timeoutSeconds } : {}),
      ...(typeof claimsWhenDeleted === "string" ? { claimsWhenDeleted } : {}),
      objects: (Array.isArray(objects) ? objects : []) as Manifest[],
    };
  }
  return undefined;
}

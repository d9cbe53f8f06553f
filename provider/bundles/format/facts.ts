/** What content may ask of the cluster that it is for. */

import type { Client } from "../../kubernetes/client";
import { textAt, type Json } from "../../kubernetes/objects";
import type { ClusterFacts } from "./format";

export async function factsOf(client: Client): Promise<ClusterFacts> {
  const [version, kinds] = await Promise.all([
    client.json<Json>("read the cluster's version", "/version"),
    client.discovery.everything(),
  ]);
  const apiVersions = new Set(kinds.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`]));
  return { kubeVersion: textAt(version, "gitVersion") ?? "", apiVersions: [...apiVersions].sort() };
}

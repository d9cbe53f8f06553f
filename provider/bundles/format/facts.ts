/** What content may ask of the cluster that it is for. */

import type { Client } from "../../kubernetes/client";
import { textAt, type Json } from "../../kubernetes/objects";
import type { ClusterFacts } from "./format";

export async function factsOf(client: Client): Promise<ClusterFacts> {
  const [version, { kinds, silent }] = await Promise.all([
    client.json<Json>("read the cluster's version", "/version"),
    client.discovery.everything(),
  ]);
  const named = kinds.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`]);
  // A server beside that does not answer now has its versions all the same.
  const apiVersions = new Set([...named, ...silent]);
  return { kubeVersion: textAt(version, "gitVersion") ?? "", apiVersions: [...apiVersions].sort() };
}

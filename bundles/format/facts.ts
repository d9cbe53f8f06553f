/** Facts about the target cluster that content may depend on. */

import { ApiError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { at, textAt } from "../../kubernetes/objects/objects";
import type { ClusterFacts } from "./format";
import { isObject, type Json } from "../../foundation/json/isObject";

export async function clusterFacts(client: Client): Promise<ClusterFacts> {
  const [version, { kinds, silent }] = await Promise.all([
    client.json<Json>("read the cluster's version", "/version"),
    client.discovery.everything(),
  ]);
  const named = kinds.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`]);
  // An aggregated API server that does not answer now still counts with its versions.
  const apiVersions = new Set([...named, ...silent]);
  return {
    kubeVersion: textAt(version, "gitVersion") ?? "",
    apiVersions: [...apiVersions].sort(),
    schemaOf: (apiVersion) => schemaOf(client, apiVersion),
  };
}

async function schemaOf(client: Client, apiVersion: string): Promise<Json | undefined> {
  const path = `/openapi/v3/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  try {
    const types = at(await client.json<Json>(`read the types of ${apiVersion}`, path), "components", "schemas");
    return isObject(types) ? types : undefined;
  } catch (error) {
    // The cluster is too old for OpenAPI v3, or does not allow the user to read it.
    if (error instanceof ApiError && [403, 404, 406].includes(error.code)) return undefined;
    throw error;
  }
}

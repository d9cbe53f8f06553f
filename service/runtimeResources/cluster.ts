import { readFileSync } from "node:fs";
import { messageOf } from "../../foundation/errors";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { EnvironmentError, type Values } from "../environment";

/**
 * The cluster with the Runtimes; undefined if the service serves none. `own`: that of the service. Throws an
 * {@link EnvironmentError}.
 */
export function runtimesCluster(
  {
    APP_RUNTIMES_NAMESPACE: namespace,
    APP_RUNTIMES_KUBECONFIG_PATH: path,
  }: Pick<Values, "APP_RUNTIMES_NAMESPACE" | "APP_RUNTIMES_KUBECONFIG_PATH">,
  own: () => Client | undefined,
): Client | undefined {
  if (namespace === undefined) return undefined;
  const expected = "expected a cluster with Runtimes, by APP_RUNTIMES_KUBECONFIG_PATH, by KUBECONFIG or as a pod";
  try {
    const client = path === undefined ? own() : connect(readFileSync(path, "utf8"), undefined, {});
    if (client) return client;
  } catch (error) {
    throw new EnvironmentError([`APP_RUNTIMES_NAMESPACE: found ${messageOf(error)}; ${expected}`]);
  }
  throw new EnvironmentError([`APP_RUNTIMES_NAMESPACE: found no cluster; ${expected}`]);
}

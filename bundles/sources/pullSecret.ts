/** Pull secrets of Kubernetes: credentials for registries. */

import type { SourceOf } from "../../foundation/bundleSources";
import { isNotFound } from "../../kubernetes/client/apiError";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { textAt } from "../../kubernetes/objects/objects";
import { Refused, Unavailable } from "../errors";
import { inCluster, isName } from "./inCluster";

export type PullSecret = NonNullable<SourceOf<"image">["pullSecret"]>;

/** Key of the config file by type of the Secret. */
const KEYS: Readonly<Record<string, string>> = {
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
  "kubernetes.io/dockercfg": ".dockercfg",
};

/** Returns the docker config in the Secret. */
export async function readPullSecret(secret: PullSecret, signal: AbortSignal | undefined): Promise<string> {
  const { namespace, name } = secret;
  const title = `pullSecret: Secret ${namespace}/${name}`;
  if (!isName(namespace) || !isName(name)) {
    throw new Refused(`pullSecret: found ${JSON.stringify(`${namespace}/${name}`)}; expected a namespace and a name`);
  }
  return inCluster(secret, signal, async (client) => {
    const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
    const found = await client.json<KubeObject>(`read Secret ${namespace}/${name}`, path).catch((error: unknown) => {
      if (isNotFound(error)) throw new Unavailable(`${title} is not there`, false);
      throw error;
    });
    const type = textAt(found, "type") ?? "nothing";
    const config = textAt(found, "data", KEYS[type] ?? "");
    if (config !== undefined) return Buffer.from(config, "base64").toString("utf8");
    throw new Refused(`${title} is of type ${type}; expected ${Object.keys(KEYS).join(" or ")}`);
  });
}

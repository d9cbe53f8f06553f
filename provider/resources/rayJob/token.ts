import { Failure } from "../../../foundation/errors";
import { textAt } from "../../../kubernetes/objects/objects";
import type { Client } from "../../../kubernetes/client/client";

/** Reads the token of a Ray cluster from its Secret. */
export async function tokenIn(client: Client, namespace: string, name: string): Promise<string> {
  const secret = await client.get({ apiVersion: "v1", kind: "Secret", namespace, name });
  const token = textAt(secret, "data", "auth_token");
  if (token === undefined) {
    const found = secret === undefined ? "does not exist" : "has no key auth_token";
    throw new Failure(`the Secret ${namespace}/${name} with the token of the Ray cluster ${found}`);
  }
  return Buffer.from(token, "base64").toString("utf8").trim();
}

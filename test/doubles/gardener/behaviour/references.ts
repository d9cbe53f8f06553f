/** What Gardener's admission plugin ResourceReferenceManager looks up: objects that a Shoot names have to exist. */

import type { Client } from "../../../../kubernetes/client/client";
import { at, textAt, type Ref } from "../../../../kubernetes/objects/objects";
import { refusal, type Reply } from "../adminKubeconfig";
import { GROUP, VERSION } from "../kinds/definitions";

interface Reference {
  readonly path: readonly string[];
  readonly apiVersion: string;
  readonly kind: string;
  /** What precedes the error of the look-up. */
  readonly failed?: string;
}

const REFERENCES: readonly Reference[] = [
  { path: ["secretBindingName"], apiVersion: `${GROUP}/${VERSION}`, kind: "SecretBinding" },
  { path: ["credentialsBindingName"], apiVersion: "security.gardener.cloud/v1alpha1", kind: "CredentialsBinding" },
  {
    path: ["kubernetes", "kubeAPIServer", "structuredAuthentication", "configMapName"],
    apiVersion: "v1",
    kind: "ConfigMap",
    failed: "failed to resolve structured authentication config map reference",
  },
];

/** The refusal of a Shoot that is to be created or applied; undefined if Gardener finds everything. */
export async function missingReference(garden: Client, namespace: string, body: unknown): Promise<Reply | undefined> {
  const name = textAt(body, "metadata", "name") ?? "";
  for (const { path, apiVersion, kind, failed } of REFERENCES) {
    const named = at(body, "spec", ...path);
    if (typeof named !== "string") continue;
    const ref: Ref = { apiVersion, kind, namespace, name: named };
    if ((await garden.get(ref)) !== undefined) continue;
    const reason = `${kind.toLowerCase()} "${named}" not found`;
    const text = failed === undefined ? reason : `${failed}: ${reason}`;
    return refusal(403, "Forbidden", `shoots.${GROUP} "${name}" is forbidden: ${text}`);
  }
  return undefined;
}

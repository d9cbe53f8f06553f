/** What Gardener's admission plugin ResourceReferenceManager looks up: objects that a Shoot names have to exist. */

import type { Client } from "../../../../kubernetes/client/client";
import { at, textAt, type Ref } from "../../../../kubernetes/objects/objects";
import { refusal, type Reply } from "../adminKubeconfig";
import { profileRefusals } from "./profile";
import { GROUP, VERSION } from "../kinds/definitions";

interface Reference {
  readonly path: readonly string[];
  readonly apiVersion: string;
  readonly kind: string;
  /** It is not in the project. */
  readonly everywhere?: boolean;
  /** What precedes the error of the look-up. */
  readonly failed?: string;
}

const REFERENCES: readonly Reference[] = [
  { path: ["seedName"], apiVersion: `${GROUP}/${VERSION}`, kind: "Seed", everywhere: true },
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
  const forbidden = (why: string): Reply => refusal(403, "Forbidden", `shoots.${GROUP} "${name}" is forbidden: ${why}`);
  for (const { path, apiVersion, kind, everywhere, failed } of REFERENCES) {
    const named = at(body, "spec", ...path);
    if (typeof named !== "string") continue;
    const ref: Ref = { apiVersion, kind, ...(everywhere !== true && { namespace }), name: named };
    if ((await garden.get(ref)) !== undefined) continue;
    const reason = `${kind.toLowerCase()} "${named}" not found`;
    const text = failed === undefined ? reason : `${failed}: ${reason}`;
    return forbidden(text);
  }
  const api = `${GROUP}/${VERSION}`;
  const named = textAt(body, "spec", "cloudProfile", "name") ?? textAt(body, "spec", "cloudProfileName");
  if (named === undefined || textAt(body, "spec", "cloudProfile", "kind") === "NamespacedCloudProfile")
    return undefined;
  const profile = await garden.get({ apiVersion: api, kind: "CloudProfile", name: named });
  if (profile === undefined) {
    const why = `could not find referenced cloud profile: cloudprofile.${GROUP} "${named}" not found`;
    return refusal(500, "InternalError", `Internal error occurred: ${why}`);
  }
  const live = await garden.get({ apiVersion: api, kind: "Shoot", namespace, name });
  const faults = profileRefusals(profile, body, live);
  return faults.length === 0 ? undefined : forbidden(faults.join(", "));
}

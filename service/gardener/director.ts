import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { messageOf } from "../../foundation/errors";
import { directorSettings, type DirectorSettings } from "../../components/runtime/types/gardener/kyma/settings";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { textAt } from "../../kubernetes/objects/objects";
import { EnvironmentError, type Values } from "../environment";
import { GARDENER_VARIABLES } from "../environment/gardenerVariables";

/** The service can't start while this request is pending. */
const PATIENCE_MS = 5_000;

/** Keys of the Secret, by setting. */
const KEYS = { tokenUrl: "tokens_endpoint", clientId: "client_id", clientSecret: "client_secret" } as const;

type DirectorValues = Pick<
  Values,
  | "APP_DIRECTOR_URL"
  | "APP_SKIP_DIRECTOR_CERT_VERIFICATION"
  | "APP_CREDENTIALS_NAMESPACE"
  | "APP_OAUTH_CREDENTIALS_SECRET_NAME"
>;

/**
 * Reads the Director's settings from the environment. The URL has a default, so the Director is used only if its Secret
 * exists; an explicit URL requires the Secret. Throws an {@link EnvironmentError}.
 */
export async function readDirector(
  values: DirectorValues,
  cluster: () => Client | undefined,
): Promise<{ readonly director?: DirectorSettings; readonly why?: string }> {
  const {
    APP_DIRECTOR_URL: url,
    APP_CREDENTIALS_NAMESPACE: namespace,
    APP_OAUTH_CREDENTIALS_SECRET_NAME: name,
  } = values;
  const without = (why: string) => {
    if (url === GARDENER_VARIABLES.APP_DIRECTOR_URL.fallback) return { why };
    throw new EnvironmentError([
      `APP_OAUTH_CREDENTIALS_SECRET_NAME: found ${why}; expected the Secret ${namespace}/${name} with ${Object.values(KEYS).join(", ")}, because APP_DIRECTOR_URL is set`,
    ]);
  };
  let secret;
  try {
    const client = cluster();
    if (client === undefined) return without("no cluster: the service runs in none, and KUBECONFIG is not set");
    secret = await client.with({ patienceMs: PATIENCE_MS }).get({ apiVersion: "v1", kind: "Secret", namespace, name });
  } catch (error) {
    return without(`that it can't be read (${messageOf(error)})`);
  }
  if (secret === undefined) return without("no such Secret");
  const entries = Object.entries(KEYS).map(([field, key]) => {
    const text = Buffer.from(textAt(secret, "data", key) ?? "", "base64").toString("utf8");
    return [field, text.trim()] as const;
  });
  const skipCertVerification = values.APP_SKIP_DIRECTOR_CERT_VERIFICATION;
  const settings = directorSettings.safeParse({ url, skipCertVerification, ...Object.fromEntries(entries) });
  if (settings.success) return { director: settings.data };
  const faults = settings.error.issues.map(({ path: [field], message }) => {
    const key = KEYS[field as keyof typeof KEYS];
    return `APP_OAUTH_CREDENTIALS_SECRET_NAME: found no valid ${key} in the Secret ${namespace}/${name}; expected ${message}`;
  });
  throw new EnvironmentError(faults);
}

/** Client of the cluster that the service runs in, or of the first kubeconfig in KUBECONFIG. */
export function ownCluster(env: Readonly<Record<string, string | undefined>>): Client | undefined {
  if (env["KUBERNETES_SERVICE_HOST"]) return connect(undefined, undefined, {});
  const [path] = (env["KUBECONFIG"] ?? "").split(delimiter);
  return path ? connect(readFileSync(path, "utf8"), undefined, {}) : undefined;
}

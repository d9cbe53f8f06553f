/** Sources as in the inputs, with separate secrets, so that the rest can be shown. */

import type { InputCheck } from "../../../../foundation/pulumi/inputCheck";
import { hasUnknown, UNKNOWN } from "../../../../foundation/pulumi/resource";
import { isList } from "../../../../kubernetes/objects/objects";
import { Refused } from "../../../../bundles/errors";
import { checkSource } from "../../../../bundles/sources/fields";
import type { Source } from "../../../../foundation/bundleSources";
import type { ReleaseInputs } from "../inputs";
import { isObject, type Json } from "../../../../foundation/json/isObject";

export function checkSources(check: InputCheck, sources: unknown, credentials: unknown): void {
  const count = check.failures.length;
  checkCredentials(check, sources, credentials);
  if (sources === UNKNOWN) return;
  if (!isList(sources) || sources.length === 0) return check.fail("sources", sources, "at least one source");
  const secrets = check.failures.length === count && isList(credentials) ? credentials : [];
  for (const [index, source] of sources.entries()) {
    const path = `sources[${index}]`;
    const secret = secrets[index] ?? {};
    if (hasUnknown([source, secret]) || credentials === UNKNOWN) continue;
    if (isObject(source) && isObject(secret)) checkFields(check, path, withSecrets(source, secret));
    else check.fail(path, source, "an object with a type");
  }
}

function checkFields(check: InputCheck, path: string, source: Json): void {
  try {
    checkSource(source);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    check.failures.push({ property: path, reason: error.message });
  }
}

function checkCredentials(check: InputCheck, sources: unknown, credentials: unknown): void {
  if (credentials === undefined || credentials === UNKNOWN) return;
  const most = isList(sources) ? sources.length : Infinity;
  const fits = isList(credentials) && credentials.length <= most;
  if (fits && credentials.every((one) => one === UNKNOWN || one === null || isObject(one))) return;
  check.fail("credentials", credentials, "a list with an object for each source, in the order of the sources");
}

/** The release's own cluster, from which ConfigMaps and pull secrets are read unless they name another one. */
type OwnCluster = Pick<ReleaseInputs, "kubeconfig" | "context" | "as">;

/** Merges each source with its secrets. */
export function sourcesOf(
  sources: readonly Json[],
  credentials: readonly (Json | null)[] = [],
  { kubeconfig, context, as }: OwnCluster = {},
): Source[] {
  return sources.map((source, index) => {
    const joined = withSecrets(source, credentials[index] ?? {});
    const placed = (place: Json): Json =>
      place["kubeconfig"] === undefined ? { ...place, kubeconfig, context: place["context"] ?? context, as } : place;
    const { type, pullSecret } = joined;
    const own =
      type === "configMaps"
        ? placed(joined)
        : isObject(pullSecret)
          ? { ...joined, pullSecret: placed(pullSecret) }
          : joined;
    return own as unknown as Source;
  });
}

/** Whether the source needs something from a cluster. */
export const needsCluster = (source: unknown): boolean =>
  isObject(source) && (source["type"] === "configMaps" || isObject(source["pullSecret"]));

/** The username in `auth` is shown, the password is secret. Null means not set. */
function withSecrets(source: Json, secrets: Json): Json {
  const merged = given(source);
  for (const [key, value] of Object.entries(given(secrets))) {
    const open = merged[key];
    merged[key] = isObject(open) && isObject(value) ? { ...open, ...value } : value;
  }
  return merged;
}

const given = (object: Json): Json =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));

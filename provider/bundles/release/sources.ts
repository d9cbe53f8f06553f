/** Sources as the inputs have them: what is secret comes apart, so that the rest can be shown. */

import type { InputCheck } from "../../framework/inputs";
import { UNKNOWN } from "../../framework/resource";
import { isObject } from "../../kubernetes/objects";
import type { Json } from "../../kubernetes/objects";
import type { Source } from "../sources/source";
import type { ReleaseInputs } from "./inputs";

/** Of each type: fields that it must have. Types of values are left to the source, which says what is wrong with them. */
const REQUIRED: Readonly<Record<Source["type"], readonly string[]>> = {
  local: ["path"],
  http: ["url"],
  git: ["repository", "ref"],
  image: ["ref"],
  configMaps: ["namespace"],
};

export function checkSources(check: InputCheck, sources: unknown, credentials: unknown): void {
  if (sources === UNKNOWN) return;
  if (!Array.isArray(sources) || sources.length === 0) return check.fail("sources", sources, "at least one source");
  for (const [index, source] of (sources as unknown[]).entries()) {
    const path = `sources[${index}]`;
    if (source === UNKNOWN) continue;
    if (!isObject(source)) {
      check.fail(path, source, "an object with a type");
      continue;
    }
    const { type } = source;
    if (type === UNKNOWN) continue;
    if (typeof type !== "string" || !Object.hasOwn(REQUIRED, type)) {
      check.fail(`${path}.type`, type, `one of ${Object.keys(REQUIRED).join(", ")}`);
      continue;
    }
    for (const key of REQUIRED[type as Source["type"]]) {
      const value = source[key];
      if (typeof value !== "object" || value === null) check.text(`${path}.${key}`, value, "a text that is not empty");
    }
  }
  if (credentials === undefined || credentials === UNKNOWN) return;
  const fits = Array.isArray(credentials) && credentials.length <= sources.length;
  if (!fits || !credentials.every((one) => one === UNKNOWN || one === null || isObject(one))) {
    const expected = "a list with an object for each source, in the order of the sources";
    check.failures.push({
      property: "credentials",
      reason: `found something else (hidden, it is a secret); expected ${expected}`,
    });
  }
}

/** What is used of the release itself: ConfigMaps are in its own cluster where they name no other. */
export type OwnCluster = Pick<ReleaseInputs, "kubeconfig" | "context">;

/** Each source with what is secret of it. */
export function sourcesOf(
  sources: readonly Json[],
  credentials: readonly (Json | null)[] = [],
  { kubeconfig, context }: OwnCluster = {},
): Source[] {
  return sources.map((source, index) => {
    const joined = withSecrets(source, credentials[index] ?? {});
    const own = joined["type"] === "configMaps" && joined["kubeconfig"] === undefined;
    return (own ? { ...joined, kubeconfig, context: joined["context"] ?? context } : joined) as unknown as Source;
  });
}

/** `auth` has a name that is to be seen, and a password that is not. */
function withSecrets(source: Json, secrets: Json): Json {
  const merged: Json = { ...source };
  for (const [key, value] of Object.entries(secrets)) {
    const open = merged[key];
    merged[key] = isObject(open) && isObject(value) ? { ...open, ...value } : value;
  }
  return merged;
}

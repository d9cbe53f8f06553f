import { canonicalJson } from "../../../foundation/json/canonicalJson";
import { shortHash } from "../../../foundation/text/legalName";
import { reachOf } from "../databaseAccess";
import type { ClickHouseConfig, TemplatedConfig } from "./settings";

/**
 * The revision of each provisioner, by name: a digest of all settings that change existing databases. It ignores
 * settings that apply only to new databases, credentials, and settings such as timeouts that matter only during an
 * update.
 */
export const clickHouseRevisions = (config: Readonly<Record<string, ClickHouseConfig>>): Record<string, string> =>
  Object.fromEntries(Object.entries(config).map(([name, entry]) => [name, revisionOf(entry)]));

function revisionOf(entry: ClickHouseConfig): string {
  if (entry.type === "kubernetes") return digest(clusterSettings(entry.settings));
  const { url, runtimeUrl, runtimeWriterUrl, cluster, sources, passwordVersion, databaseWhenDeleted } = entry;
  const writer = runtimeWriterUrl && reachOf(runtimeWriterUrl);
  return digest({ reach: reachOf(runtimeUrl ?? url), writer, cluster, sources, passwordVersion, databaseWhenDeleted });
}

/** Ignores the namespace and names, which an existing cluster keeps. */
function clusterSettings(settings: TemplatedConfig["settings"]): object {
  return { ...settings, namespace: undefined, prefix: undefined, default: undefined, timeoutSeconds: undefined };
}

const digest = (made: object): string => shortHash(canonicalJson(made), 12);

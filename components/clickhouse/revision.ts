import { canonicalJson } from "../../foundation/json/canonicalJson";
import { shortHash } from "../../foundation/text/legalName";
import { reachOf } from "./reach";
import type { ClickHouseConfig, TemplatedConfig } from "./settings";

/**
 * Revision of each provisioner, by name: a digest of everything about it that a database which is there is changed by. What only new
 * ones are made from, credentials, and what only matters while an update runs are not in it.
 */
export const clickHouseRevisions = (config: Readonly<Record<string, ClickHouseConfig>>): Record<string, string> =>
  Object.fromEntries(Object.entries(config).map(([name, entry]) => [name, revisionOf(entry)]));

function revisionOf(entry: ClickHouseConfig): string {
  if (entry.type === "kubernetes") return digest(clusterSettings(entry.settings));
  const { url, runtimeUrl, cluster, sources, passwordVersion, databaseWhenDeleted } = entry;
  return digest({ reach: reachOf(runtimeUrl ?? url), cluster, sources, passwordVersion, databaseWhenDeleted });
}

/** A cluster stays in its namespace and keeps its names. */
function clusterSettings(settings: TemplatedConfig["settings"]): object {
  return { ...settings, namespace: undefined, prefix: undefined, default: undefined, timeoutSeconds: undefined };
}

const digest = (made: object): string => shortHash(canonicalJson(made), 12);

import { dump } from "js-yaml";
import { isSecretKey, type Connectors, type SecretKey, type TerasliceSettings } from "../settings";
import { clusterNames } from "./names";

/** Key in the ConfigMaps, and name of the file that Teraslice reads. */
export const CONFIG_FILE = "teraslice.yaml";

/** A secret of a connection, as a variable of the container that writes it to the file. */
interface ConnectorSecret extends SecretKey {
  readonly variable: string;
}

/** All secrets of connections at any depth, in the order of the file. */
export function connectorSecrets(connectors: Connectors): readonly ConnectorSecret[] {
  const secrets: SecretKey[] = [];
  replaced(connectors, (secret) => secrets.push(secret));
  return secrets.map(({ secret, key }, index) => ({ secret, key, variable: `CONNECTOR_SECRET_${index}` }));
}

/** Replaces each secret in the connectors. Depth 0 and 1 are types and connections by name, below are their fields. */
function replaced(connectors: Connectors, instead: (secret: SecretKey) => unknown): object {
  const walk = (value: unknown, depth: number): unknown => {
    if (isSecretKey(value)) return instead(value);
    if (Array.isArray(value)) return value.map((each) => walk(each, depth + 1));
    if (typeof value !== "object" || value === null) return value;
    const entries: [string, unknown][] = depth < 2 ? sorted(value as Record<string, unknown>) : Object.entries(value);
    return Object.fromEntries(entries.map(([key, each]) => [key, walk(each, depth + 1)]));
  };
  return walk(connectors, 0) as object;
}

/** Placeholder of a secret in the ConfigMap. */
const placeholder = (variable: string): string => `__${variable}__`;

/** The configuration file, with placeholders for secrets. */
export function configText(settings: TerasliceSettings, role: "master" | "worker"): string {
  const { teraslice, terafoundation } = settings;
  let number = 0;
  // Same order as in connectorSecrets.
  const connectors = replaced(terafoundation.connectors, () => placeholder(`CONNECTOR_SECRET_${number++}`));
  const master = role === "master";
  const own = settings[role];
  const file = {
    terafoundation: { ...terafoundation, ...own.terafoundation, connectors },
    teraslice: { ...teraslice, ...own.settings, master, master_hostname: clusterNames(settings).master },
  };
  return dump(file, { sortKeys: true, lineWidth: -1, noRefs: true });
}

export function configMaps(settings: TerasliceSettings): object[] {
  const { namespace, masterConfig, workerConfig } = clusterNames(settings);
  const map = (name: string, role: "master" | "worker"): object => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { [CONFIG_FILE]: configText(settings, role) },
  });
  return [map(masterConfig, "master"), map(workerConfig, "worker")];
}

const sorted = <T>(map: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));

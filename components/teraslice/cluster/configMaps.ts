import { dump } from "js-yaml";
import { isSecretKey, type Connectors, type SecretKey, type TerasliceSettings } from "../settings";
import { clusterNames } from "./names";

/** Key of the ConfigMaps, and name of the file that Teraslice reads. */
export const CONFIG_FILE = "teraslice.yaml";

/** A secret of a connection, as a variable of the container that puts it into the file. */
export interface ConnectorSecret extends SecretKey {
  readonly variable: string;
}

/** The secrets of all connections, in the order of the file. */
export function connectorSecrets(connectors: Connectors): readonly ConnectorSecret[] {
  return sorted(connectors)
    .flatMap(([, connections]) =>
      sorted(connections).flatMap(([, connection]) =>
        Object.values(connection).flatMap((value) => (isSecretKey(value) ? [value] : [])),
      ),
    )
    .map(({ secret, key }, index) => ({ secret, key, variable: `CONNECTOR_SECRET_${index}` }));
}

/** What stands in the ConfigMap where a secret belongs. */
export const placeholder = (variable: string): string => `__${variable}__`;

/** The file with placeholders for secrets: those are in no ConfigMap. */
export function configText(settings: TerasliceSettings, role: "master" | "worker"): string {
  const { teraslice, terafoundation } = settings;
  const variables = connectorSecrets(terafoundation.connectors).map(({ variable }) => variable);
  // In the same order as the secrets are numbered.
  const connectors = Object.fromEntries(
    sorted(terafoundation.connectors).map(([type, connections]) => [
      type,
      Object.fromEntries(
        sorted(connections).map(([name, connection]) => [
          name,
          Object.fromEntries(
            Object.entries(connection).map(([key, value]) => [
              key,
              isSecretKey(value) ? placeholder(variables.shift() ?? "") : value,
            ]),
          ),
        ]),
      ),
    ]),
  );
  const master = role === "master";
  const file = {
    terafoundation: { ...terafoundation, connectors },
    teraslice: { ...teraslice, master, master_hostname: clusterNames(settings).master },
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

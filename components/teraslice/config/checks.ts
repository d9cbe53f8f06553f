import { isSecretKey, type TerasliceSettings } from "../settings";
import { connectorSecrets } from "../podConfig/configMaps";
import { jobPodOverride } from "../podConfig/secretConfig";
import { valueAt } from "../../../foundation/schema/describe";
import { mismatch, renderPath, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { checkExtras, sectionFaults } from "./extraChecks";
import type { TerasliceInput } from "./schema";

/** Ports that Teraslice uses in a master's pod. */
const TAKEN = [45_678, 45_679, 45_680];

/** Checks across the settings of the master at `base`. `settings` are complete. */
export function terasliceFaults(
  input: TerasliceInput,
  settings: TerasliceSettings,
  place: FaultContext,
  base: Path = ["teraslice"],
): Fault[] {
  const faults: Fault[] = [];
  const add = (path: Path, expected: string, hint?: string): void => {
    const at = [...base, ...path];
    faults.push(mismatch(at, foundAt(place, at), expected, hint));
  };
  const { teraslice, terafoundation } = settings;
  const { connectors } = terafoundation;
  const namespace = teraslice.kubernetes_namespace;
  if (settings.createNamespace && (namespace === "default" || namespace.startsWith("kube-"))) {
    add(
      ["createNamespace"],
      `false, because the namespace ${namespace} is there in every cluster`,
      "or set settings.kubernetes_namespace",
    );
  }
  const sharer = settings.createNamespace ? usersOf(namespace, place.root, base)[0] : undefined;
  if (sharer !== undefined) {
    add(["createNamespace"], `false, because ${sharer} is in the namespace ${namespace} too, and would go with it`);
  }
  if (teraslice.kubernetes_config_map_name === `${teraslice.name}-master`) {
    add(["settings", "kubernetes_config_map_name"], `another name, because ${teraslice.name}-master is the master's`);
  }
  const connected = (path: Path, type: string, name: string): void => {
    const known = Object.keys(connectors[type] ?? {});
    if (known.includes(name)) return;
    const found = foundAt(place, [...base, ...path]);
    const which = known.length === 0 ? "and there is none" : `one of ${known.join(", ")}`;
    faults.push(
      mismatch(
        [...base, ...path],
        found === "nothing" ? `nothing, which means ${name}` : found,
        `a connection of terafoundation.connectors.${type}, ${which}`,
      ),
    );
  };
  connected(["settings", "state", "connection"], "elasticsearch-next", teraslice.state.connection);
  connected(
    ["settings", "asset_storage_connection"],
    teraslice.asset_storage_connection_type,
    teraslice.asset_storage_connection,
  );
  if (teraslice.asset_storage_bucket !== undefined && teraslice.asset_storage_connection_type !== "s3") {
    add(["settings", "asset_storage_bucket"], "no bucket, because asset_storage_connection_type is not s3");
  }
  if (input.service.nodePort !== undefined && input.service.type !== "NodePort") {
    add(["service", "nodePort"], `none, because service.type is ${input.service.type}`);
  }
  if (TAKEN.includes(teraslice.port))
    add(["settings", "port"], `another port than ${TAKEN.join(", ")}, which are taken`);
  if (terafoundation.prom_metrics_enabled && [...TAKEN, teraslice.port].includes(terafoundation.prom_metrics_port)) {
    add(
      ["terafoundation", "prom_metrics_port"],
      `another port than ${[...TAKEN, teraslice.port].join(", ")}, which are taken`,
    );
  }
  if (input.settings.kubernetes_overrides_enabled === false && jobPodOverride(settings) !== undefined) {
    const why = whyOverride(settings);
    add(
      ["settings", "kubernetes_overrides_enabled"],
      `true, because ${why}, which pods of jobs get by pod_spec_override`,
    );
  }
  checkExtras(input, settings, add);
  return [
    ...faults,
    ...sectionFaults(input, place, base),
    ...pullSecretFaults(settings, place, base),
    ...connectionFaults(input, place, base),
  ];
}

/** Why pods of jobs need a `pod_spec_override`. */
function whyOverride({ terafoundation, imagePullSecrets }: TerasliceSettings): string {
  if (connectorSecrets(terafoundation.connectors).length > 0) return "connectors have secrets";
  return imagePullSecrets.length > 1 ? "there are several pull secrets" : "there is something under worker";
}

/** Other components of the config that use the namespace. */
function usersOf(namespace: string, root: Readonly<Record<string, unknown>>, base: Path): string[] {
  const map = (key: string): [string, unknown][] => Object.entries(valueAt(root, [key]) ?? {});
  const places: [string, unknown][] = [
    ...map("provisioners").map(([name, each]): [string, unknown] => [
      `the provisioner ${name}`,
      valueAt(each, ["spec", "namespace"]),
    ]),
    ...map("ray").map(([name, each]): [string, unknown] => [
      `the Ray cluster ${name}`,
      valueAt(each, ["namespace"]) ?? "ray",
    ]),
    ...[["teraslice"], ...map("terasliceClusters").map(([name]) => ["terasliceClusters", name])]
      .filter((at) => renderPath(at) !== renderPath(base) && valueAt(root, at) !== undefined)
      .map((at): [string, unknown] => [
        `the Teraslice master of ${renderPath(at)}`,
        valueAt(root, [...at, "settings", "kubernetes_namespace"]) ?? "default",
      ]),
    ...(root["jupyterhub"] === undefined
      ? []
      : [["JupyterHub", valueAt(root, ["jupyterhub", "namespace"]) ?? "jupyterhub"] as [string, unknown]]),
  ];
  return places.flatMap(([user, used]) => (used === namespace ? [user] : []));
}

/** The pull secret for jobs must be among the configured pull secrets. */
function pullSecretFaults(
  { imagePullSecrets, teraslice }: TerasliceSettings,
  place: FaultContext,
  base: Path,
): Fault[] {
  const handedOn = teraslice.kubernetes_image_pull_secret;
  const at = [...base, "settings", "kubernetes_image_pull_secret"];
  if (handedOn === undefined || imagePullSecrets.includes(handedOn)) return [];
  return [mismatch(at, foundAt(place, at), `one of imagePullSecrets: ${imagePullSecrets.join(", ")}`)];
}

/** Faults that the connectors would report when a master starts. */
function connectionFaults({ terafoundation }: TerasliceInput, place: FaultContext, base: Path): Fault[] {
  const { "elasticsearch-next": search, s3, kafka } = terafoundation.connectors;
  const faults: Fault[] = plainSecrets(terafoundation.connectors, base);
  const at = (type: string, name: string): Path => [...base, "terafoundation", "connectors", type, name];
  for (const [name, connection] of Object.entries(search)) {
    const pair = ["username", "password"] as const;
    const [has, missing] = connection.username === undefined ? [pair[1], pair[0]] : pair;
    if (connection[has] !== undefined && connection[missing] === undefined)
      faults.push(mismatch([...at("elasticsearch-next", name), missing], "nothing", `one, because there is ${has}`));
    if (connection.auth !== undefined && (connection.username ?? connection.password) !== undefined) {
      const path = [...at("elasticsearch-next", name), "auth"];
      faults.push(mismatch(path, foundAt(place, path), "none, because there are username and password"));
    }
  }
  for (const [name, connection] of Object.entries(s3)) {
    const { endpoint, sslEnabled } = connection;
    // Teraslice's connector refuses to connect.
    if (endpoint.startsWith("https://") !== sslEnabled) {
      const path = [...at("s3", name), "endpoint"];
      const expected = sslEnabled ? "an https URL, or sslEnabled: false" : "an http URL, or sslEnabled: true";
      faults.push(mismatch(path, foundAt(place, path), expected));
    }
    if (connection.caCertificate !== undefined && !sslEnabled) {
      const path = [...at("s3", name), "caCertificate"];
      faults.push(mismatch(path, foundAt(place, path), "none, because sslEnabled is false"));
    }
  }
  for (const [name, connection] of Object.entries(kafka)) {
    if (connection.caCertificate === undefined || connection.ssl_ca_location === undefined) continue;
    const path = [...at("kafka", name), "ssl_ca_location"];
    faults.push(mismatch(path, foundAt(place, path), "none, because there is caCertificate"));
  }
  return faults;
}

/** Names of keys that are probably secret, in unknown connection types or fields. */
const SECRET_NAME = /pass(word|phrase)|secret|token|private_?key|api_?key|^key$/i;

/**
 * Faults for plain text under such names, because ConfigMaps must not contain secrets. The schema checks known fields.
 */
function plainSecrets(connectors: object, base: Path): Fault[] {
  const walk = (value: unknown, path: Path): Fault[] => {
    if (typeof value !== "object" || value === null || isSecretKey(value)) return [];
    return Object.entries(value).flatMap(([key, each]: [string, unknown]): Fault[] => {
      const at = [...path, key];
      if (!SECRET_NAME.test(key) || typeof each !== "string") return walk(each, at);
      return [
        mismatch(at, "a text", "a reference {secret, key} to a key of a Secret, because ConfigMaps hold no secrets"),
      ];
    });
  };
  return walk(connectors, [...base, "terafoundation", "connectors"]);
}

import type { TerasliceSettings } from "../settings";
import { CONFIG_FILE, connectorSecrets } from "./configMaps";
import { clusterNames, jobAccount } from "./names";

/** Where Teraslice images read their configuration. */
export const CONFIG_DIRECTORY = "/app/config";
/** Name of the volume with the configuration, in the master and in pods of jobs. */
export const CONFIG_VOLUME = "config";
/** Id of the user that pods of jobs run as. The master uses the same one, since both share a claim. */
const USER = 10001;

/** Node.js code that writes the file with secrets instead of placeholders. JSON strings are valid YAML. */
export const WRITE_CONFIG = [
  "const text = process.env.CONFIG.replace(/__(CONNECTOR_SECRET_\\d+)__/g, (_, name) => JSON.stringify(process.env[name]));",
  `require("fs").writeFileSync(process.argv[1] ?? "${CONFIG_DIRECTORY}/${CONFIG_FILE}", text, { mode: 0o644 });`,
].join("\n");

export const containerSecurity = () => ({
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: USER,
});

/** Security context of pods, for the master and for jobs. */
export const podSecurity = () => ({
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" },
});

/** The volume of the file: the ConfigMap itself, or an in-memory volume that {@link configWriter} writes to. */
export function configVolume(settings: TerasliceSettings): object {
  const { masterConfig } = clusterNames(settings);
  const source = hasSecrets(settings)
    ? { emptyDir: { medium: "Memory" } }
    : { configMap: { name: masterConfig, items: [{ key: CONFIG_FILE, path: CONFIG_FILE }] } };
  return { name: CONFIG_VOLUME, ...source };
}

/** Init container that inserts secrets into the file of a ConfigMap; undefined if it contains none. */
export function configWriter(settings: TerasliceSettings, image: string, configMap: string): object | undefined {
  if (!hasSecrets(settings)) return undefined;
  return {
    name: "write-config",
    image,
    command: ["node", "-e", WRITE_CONFIG],
    env: [
      { name: "CONFIG", valueFrom: { configMapKeyRef: { name: configMap, key: CONFIG_FILE } } },
      ...connectorSecrets(settings.terafoundation.connectors).map(({ variable, secret, key }) => ({
        name: variable,
        valueFrom: { secretKeyRef: { name: secret, key } },
      })),
    ],
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "128Mi" } },
    securityContext: containerSecurity(),
    volumeMounts: [{ name: CONFIG_VOLUME, mountPath: CONFIG_DIRECTORY }],
  };
}

/**
 * The `pod_spec_override` for jobs, with what the master's own settings can't give their pods: secrets of connections,
 * several pull secrets, and the config of `worker`. Undefined if there is none of these. The master merges lists by
 * position, and the configuration is the first volume of its pods; null removes the ConfigMap from it.
 */
export function jobPodOverride(settings: TerasliceSettings): Record<string, unknown> | undefined {
  const { imagePullSecrets, teraslice } = settings;
  const writer = configWriter(settings, teraslice.kubernetes_image, teraslice.kubernetes_config_map_name);
  const { envFrom, initContainers } = settings.worker;
  const before = [...(writer ? [writer] : []), ...initContainers];
  const serviceAccountName = jobAccount(settings);
  const override = {
    ...(before.length > 0 && { initContainers: before }),
    ...(writer && { volumes: [{ configMap: null, emptyDir: { medium: "Memory" } }] }),
    // The job's container is the first.
    ...(envFrom.length > 0 && { containers: [{ envFrom }] }),
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    ...(imagePullSecrets.length > 1 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
  };
  return Object.keys(override).length === 0 ? undefined : override;
}

const hasSecrets = ({ terafoundation }: TerasliceSettings): boolean =>
  connectorSecrets(terafoundation.connectors).length > 0;

import type { TerasliceSettings } from "../settings";
import { CONFIG_FILE, connectorSecrets } from "./configMaps";
import { clusterNames, jobAccount } from "./names";

/** Where images of Teraslice look for their configuration. */
export const CONFIG_DIRECTORY = "/app/config";
/** Of the configuration, in the master and in pods of jobs. */
export const CONFIG_VOLUME = "config";
/** The user that a master runs pods of jobs as; it runs as the same one, since both share a claim. */
export const USER = 10001;

/** Writes the file with secrets in place of placeholders. A JSON text is YAML as well. */
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

/** Of whole pods, the master's and those of jobs. */
export const podSecurity = () => ({
  runAsNonRoot: true,
  runAsUser: USER,
  runAsGroup: USER,
  fsGroup: USER,
  fsGroupChangePolicy: "OnRootMismatch",
  seccompProfile: { type: "RuntimeDefault" },
});

/** The volume of the file: the ConfigMap itself, or memory that {@link configWriter} writes to. */
export function configVolume(settings: TerasliceSettings): object {
  const { masterConfig } = clusterNames(settings);
  const source = hasSecrets(settings)
    ? { emptyDir: { medium: "Memory" } }
    : { configMap: { name: masterConfig, items: [{ key: CONFIG_FILE, path: CONFIG_FILE }] } };
  return { name: CONFIG_VOLUME, ...source };
}

/** Init container that completes the file of a ConfigMap; undefined when nothing in it is secret. */
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
 * `pod_spec_override` that a job needs so that its pods have what the master's own settings can't give them: secrets of
 * connections, more than one pull secret, and what the config says of `worker`. Undefined when they need none. A master merges it by position, and the
 * configuration is the first volume of its pods; null takes the ConfigMap away from there.
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
    // The first container is that of the job.
    ...(envFrom.length > 0 && { containers: [{ envFrom }] }),
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    ...(imagePullSecrets.length > 1 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
  };
  return Object.keys(override).length === 0 ? undefined : override;
}

const hasSecrets = ({ terafoundation }: TerasliceSettings): boolean =>
  connectorSecrets(terafoundation.connectors).length > 0;

import { createHash } from "node:crypto";
import type { TerasliceSettings } from "../settings";
import { configText } from "../podConfig/configMaps";
import { clusterNames, masterLabels, PORTS } from "../podConfig/names";
import { masterAccount } from "./rbac";
import {
  CONFIG_DIRECTORY,
  CONFIG_VOLUME,
  configVolume,
  configWriter,
  containerSecurity,
  podSecurity,
} from "../podConfig/secretConfig";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The master's Deployment. Never runs two pods, because both would start the same executions. */
export function masterDeployment(settings: TerasliceSettings): object {
  const { namespace, master } = clusterNames(settings);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: master, namespace, labels: masterLabels(settings) },
    spec: {
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: masterLabels(settings) },
      template: {
        metadata: {
          labels: { ...settings.master.labels, ...masterLabels(settings) },
          annotations: {
            ...settings.master.annotations,
            // The master reads its file once, and passes the worker's file to the pods that it creates.
            "checksum/config-master": digest(configText(settings, "master")),
            "checksum/config-worker": digest(configText(settings, "worker")),
            // Prevents the autoscaler from removing its node. A PodDisruptionBudget would also block node upgrades.
            ...(settings.master.evictable ? {} : { "cluster-autoscaler.kubernetes.io/safe-to-evict": "false" }),
          },
        },
        spec: podSpec(settings),
      },
    },
  };
}

function podSpec(settings: TerasliceSettings): object {
  const { image, imagePullSecrets, master, teraslice } = settings;
  const writer = configWriter(settings, image, clusterNames(settings).masterConfig);
  const before = [...(writer ? [writer] : []), ...master.initContainers];
  const priority = teraslice.kubernetes_priority_class_name;
  return {
    serviceAccountName: masterAccount(settings),
    automountServiceAccountToken: true,
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(priority !== undefined && { priorityClassName: priority }),
    ...(Object.keys(master.nodeSelector).length > 0 && { nodeSelector: master.nodeSelector }),
    ...(master.tolerations.length > 0 && { tolerations: master.tolerations }),
    ...(master.affinity !== undefined && { affinity: master.affinity }),
    securityContext: podSecurity(),
    terminationGracePeriodSeconds: Math.ceil(teraslice.shutdown_timeout / 1000),
    ...(before.length > 0 && { initContainers: before }),
    containers: [container(settings), ...master.containers],
    volumes: [
      configVolume(settings),
      { name: "assets", ...assetsSource(teraslice.assets_volume) },
      { name: "logs", emptyDir: {} },
      { name: "tmp", emptyDir: {} },
      ...master.volumes,
    ],
  };
}

const assetsSource = (claimName: string | undefined): object =>
  claimName === undefined ? { emptyDir: {} } : { persistentVolumeClaim: { claimName } };

function container({ image, master, teraslice, terafoundation }: TerasliceSettings): object {
  const answers = { httpGet: { path: "/", port: "api" }, timeoutSeconds: 5 };
  const memory = `${master.memoryMb}Mi`;
  return {
    name: "teraslice-master",
    image,
    // Two processes share the memory: the API with its scheduler, and the asset service.
    env: [
      ...(Object.hasOwn(master.env, "NODE_OPTIONS")
        ? []
        : [{ name: "NODE_OPTIONS", value: `--max-old-space-size=${Math.round(0.45 * master.memoryMb)}` }]),
      ...Object.entries(master.env).map(([name, value]) =>
        typeof value === "string" ? { name, value } : { name, ...value },
      ),
    ],
    ...(master.envFrom.length > 0 && { envFrom: master.envFrom }),
    ports: [
      { name: "api", containerPort: teraslice.port },
      { name: "master", containerPort: PORTS.master },
      { name: "assets", containerPort: PORTS.assets },
      ...(terafoundation.prom_metrics_enabled
        ? [{ name: "metrics", containerPort: terafoundation.prom_metrics_port }]
        : []),
    ],
    // The master may have to wait for the indices of its state.
    startupProbe: { ...answers, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...answers, periodSeconds: 10 },
    livenessProbe: { ...answers, periodSeconds: 20, failureThreshold: 6 },
    resources: {
      requests: { cpu: String(master.cpu), memory },
      limits: { ...(master.cpuLimit !== undefined && { cpu: String(master.cpuLimit) }), memory },
    },
    securityContext: containerSecurity(),
    volumeMounts: [
      { name: CONFIG_VOLUME, mountPath: CONFIG_DIRECTORY },
      { name: "assets", mountPath: teraslice.assets_directory },
      { name: "logs", mountPath: "/app/logs" },
      { name: "tmp", mountPath: "/tmp" },
      ...master.volumeMounts,
    ],
  };
}

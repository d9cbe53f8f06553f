/**
 * Charts of the names and versions in `examples/operations`, as far as it passes values to them: each refuses another
 * value, names its objects as upstream does, and uses the service account that the values name.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A schema that allows these names alone. `true`: anything. */
type Names = { readonly [name: string]: Names | true };

const schemaOf = (names: Names): object => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(names).map(([name, inner]) => [name, inner === true ? {} : schemaOf(inner)]),
  ),
});

const crd = (group: string, kind: string, version: string, scope = "Namespaced"): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.${group}` },
  spec: {
    ...{ group, scope },
    names: { kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

const workload = (kind: string, name: string, account: string, more = ""): string => `---
apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      serviceAccountName: ${account}
      ${more}
      containers: [{ name: main, image: example/${name}, resources: {{ toJson .Values.resources | default "{}" }} }]
`;

const monitor = (name: string): string => `---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: ${name} }
spec: { endpoints: [{ port: http }], selector: { matchLabels: { app: ${name} } } }
`;

const hostPath = "volumes: [{ name: log, hostPath: { path: /var/log } }]";
const any = true;
const off = { enabled: any } as const;
const account = { create: any, name: any } as const;

interface ChartDouble {
  readonly version: string;
  readonly values: Names;
  readonly crds: readonly object[];
  readonly templates: string;
}

const CHARTS: Readonly<Record<string, ChartDouble>> = {
  monitoring: {
    version: "88.5.3",
    values: {
      fullnameOverride: any,
      ...{ kubeControllerManager: off, kubeEtcd: off, kubeProxy: off, kubeScheduler: off },
      defaultRules: { rules: any },
      prometheusOperator: { admissionWebhooks: off, tls: off, resources: any },
      prometheus: {
        prometheusSpec: {
          podMonitorSelectorNilUsesHelmValues: any,
          serviceMonitorSelectorNilUsesHelmValues: any,
          ruleSelectorNilUsesHelmValues: any,
          ...{ retention: any, retentionSize: any, resources: any, storageSpec: any },
        },
      },
      alertmanager: { alertmanagerSpec: { storage: any } },
      "kube-state-metrics": { metricLabelsAllowlist: any },
      grafana: { defaultDashboardsTimezone: any, resources: any },
    },
    crds: ["PodMonitor", "PrometheusRule", "ServiceMonitor"].map((kind) => crd("monitoring.coreos.com", kind, "v1")),
    templates: [
      workload("Deployment", "{{ .Values.fullnameOverride }}-operator", "default"),
      workload("DaemonSet", "{{ .Release.Name }}-prometheus-node-exporter", "default", hostPath),
      "---\napiVersion: v1\nkind: Service\nmetadata: { name: {{ .Values.fullnameOverride }}-prometheus }\nspec: { ports: [{ port: 9090 }] }\n",
    ].join(""),
  },
  "fluent-bit": {
    version: "0.58.1",
    values: {
      ...{ serviceAccount: account, serviceMonitor: off, testFramework: off, tolerations: any, resources: any },
      config: { outputs: any },
    },
    crds: [],
    templates:
      workload("DaemonSet", "{{ .Release.Name }}", "{{ .Values.serviceAccount.name }}", hostPath) +
      monitor("{{ .Release.Name }}"),
  },
  "external-secrets": {
    version: "2.9.0",
    values: { installCRDs: any, serviceAccount: account, serviceMonitor: off, resources: any },
    crds: [crd("external-secrets.io", "ClusterSecretStore", "v1", "Cluster")],
    templates:
      workload("Deployment", "{{ .Release.Name }}", "{{ .Values.serviceAccount.name }}") +
      monitor("{{ .Release.Name }}-metrics"),
  },
  velero: {
    version: "12.1.0",
    values: {
      ...{ upgradeCRDs: any, initContainers: any, resources: any, schedules: any },
      serviceAccount: { server: account },
      credentials: { useSecret: any },
      metrics: { serviceMonitor: off },
      configuration: { backupStorageLocation: any, volumeSnapshotLocation: any },
    },
    crds: ["BackupStorageLocation", "VolumeSnapshotLocation", "Schedule"].map((kind) => crd("velero.io", kind, "v1")),
    templates:
      workload("Deployment", "velero", "{{ .Values.serviceAccount.server.name }}") +
      monitor("velero") +
      [
        "{{- range .Values.configuration.backupStorageLocation }}",
        "---\napiVersion: velero.io/v1\nkind: BackupStorageLocation\nmetadata: { name: {{ .name }} }",
        "spec: { provider: {{ .provider }}, default: {{ .default }}, config: {{ toJson .config }}, objectStorage: { bucket: {{ .bucket }}, prefix: {{ .prefix }} } }",
        "{{- end }}",
        "{{- range $name, $one := .Values.schedules }}",
        "---\napiVersion: velero.io/v1\nkind: Schedule\nmetadata: { name: velero-{{ $name }} }",
        "spec: { schedule: {{ quote $one.schedule }}, template: {{ toJson $one.template }} }",
        "{{- end }}\n",
      ].join("\n"),
  },
  opencost: {
    version: "2.5.17",
    values: {
      opencost: {
        exporter: { defaultClusterId: any },
        mcp: off,
        metrics: { serviceMonitor: off },
        prometheus: { internal: { serviceName: any, namespaceName: any, port: any } },
      },
    },
    crds: [],
    templates: workload("Deployment", "{{ .Release.Name }}", "default") + monitor("{{ .Release.Name }}"),
  },
};

export const OPERATIONS_CHARTS = Object.keys(CHARTS);

/** Writes the chart of a bundle into a folder. */
export function writeChart(bundle: string, folder: string): void {
  const { version, values, crds, templates } = CHARTS[bundle]!;
  const put = (file: string, text: string): void => {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  };
  put("Chart.yaml", JSON.stringify({ apiVersion: "v2", name: bundle, version }));
  put("values.schema.json", JSON.stringify(schemaOf({ ...values, global: any })));
  put("templates/all.yaml", templates);
  for (const one of crds)
    put(`crds/${(one as { metadata: { name: string } }).metadata.name}.json`, JSON.stringify(one));
}

import type { KubeObject } from "../../../kubernetes/objects/objects";

type Fields = Record<string, unknown>;

export const object = (kind: string, spec: object = {}, status: object = {}, metadata: object = {}): KubeObject => ({
  apiVersion: ["Pod", "PersistentVolumeClaim", "Event", "ConfigMap"].includes(kind) ? "v1" : "apps/v1",
  kind,
  metadata: { name: "acme", namespace: "ns", generation: 1, ...metadata },
  spec,
  status: { observedGeneration: 1, ...status },
});

export const template = (storage: unknown, spec: Fields = {}, name = "data") => ({
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
});

export const statefulSet = (storage: unknown, spec: Fields = {}, status: Fields = {}): KubeObject =>
  object(
    "StatefulSet",
    {
      serviceName: "acme",
      selector: { matchLabels: { app: "acme" } },
      template: { metadata: { labels: { app: "acme", tier: "one" } } },
      volumeClaimTemplates: [template(storage)],
      ...spec,
    },
    { replicas: 1, ...status },
  );

/** As an API server returns it: with defaults filled in. */
export const live = (storage: string, spec: Fields = {}, status: Fields = {}): KubeObject => {
  const filled = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    ...template(storage, { volumeMode: "Filesystem" }),
    status: { phase: "Pending" },
  };
  return statefulSet(storage, { podManagementPolicy: "OrderedReady", volumeClaimTemplates: [filled], ...spec }, status);
};

export const claim = (name: string, request: string, capacity = request, status: Fields = {}): KubeObject =>
  object(
    "PersistentVolumeClaim",
    { storageClassName: "standard", resources: { requests: { storage: request } }, volumeName: "pv" },
    { phase: "Bound", capacity: { storage: capacity }, ...status },
    { name, uid: `uid-${name}` },
  );

export const event = (reason: string, message: string, lastTimestamp = "2026-01-01T00:00:00Z"): KubeObject => ({
  ...object("Event"),
  type: "Warning",
  reason,
  message,
  lastTimestamp,
});

export const container = (state: object, more: object = {}) => ({
  name: "main",
  image: "example/runtime:1",
  ready: false,
  restartCount: 0,
  state,
  ...more,
});

export const pod = (
  containers: readonly object[],
  spec: object = { nodeName: "node-1" },
  status: object = {},
): KubeObject =>
  object("Pod", spec, { phase: "Pending", containerStatuses: containers, ...status }, { name: "acme-0" });

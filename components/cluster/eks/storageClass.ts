import type { NodesMode } from "../nodePool/pools";

const STORAGE_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "ebs.csi.aws.com",
  parameters: { type: "gp3", encrypted: "true" },
  allowVolumeExpansion: true,
  reclaimPolicy: "Delete",
  // A volume is in one zone: it is created in the zone of its pod.
  volumeBindingMode: "WaitForFirstConsumer",
};

/** The storage class that claims get when they ask for none. Volumes of EKS Auto Mode have a driver of their own. */
export const storageClass = (nodes: NodesMode): Record<string, unknown> =>
  nodes === "auto" ? { ...STORAGE_CLASS, provisioner: "ebs.csi.eks.amazonaws.com" } : STORAGE_CLASS;

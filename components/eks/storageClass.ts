import type { NodesMode } from "../cluster/nodePool/pools";

const STORAGE_CLASS = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
  provisioner: "ebs.csi.aws.com",
  parameters: { type: "gp3", encrypted: "true" },
  allowVolumeExpansion: true,
  reclaimPolicy: "Delete",
  // Creates a volume in the zone of its pod, because EBS volumes can't move between zones.
  volumeBindingMode: "WaitForFirstConsumer",
};

/** The default storage class. EKS Auto Mode has its own EBS driver. */
export const storageClass = (nodes: NodesMode): Record<string, unknown> =>
  nodes === "auto" ? { ...STORAGE_CLASS, provisioner: "ebs.csi.eks.amazonaws.com" } : STORAGE_CLASS;

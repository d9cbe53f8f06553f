/** A node of the group that Karpenter runs on. */
export const karpenterNode = (name: string) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: { "stackyard.dev/node-pool": "karpenter", "kubernetes.io/os": "linux", "kubernetes.io/hostname": name },
    annotations: { "kwok.x-k8s.io/node": "fake" },
  },
  status: {
    allocatable: { cpu: "2", memory: "7Gi", pods: "35" },
    capacity: { cpu: "2", memory: "8Gi", pods: "35" },
  },
});

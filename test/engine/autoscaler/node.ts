/** A node that the cluster-autoscaler is placed on; KWOK plays it. */
export const autoscalerNode = (name: string) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    labels: { dedicated: "clusterAutoscaler" },
    annotations: { "kwok.x-k8s.io/node": "fake" },
  },
  spec: { taints: [{ key: "dedicated", value: "clusterAutoscaler", effect: "NoSchedule" }] },
  status: {
    allocatable: { cpu: "2", memory: "4Gi", pods: "110" },
    capacity: { cpu: "2", memory: "4Gi", pods: "110" },
  },
});

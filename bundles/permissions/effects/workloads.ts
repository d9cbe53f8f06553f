/** Kinds from which operators create workloads: Prometheus, Spark, Ray, databases, KubeVirt. */

import { RUNS, type KindRule } from "./rule";

export const WORKLOADS: readonly KindRule[] = [
  {
    group: "monitoring.coreos.com",
    kinds: ["ServiceMonitor", "PodMonitor", "Probe"],
    where: "spec.endpoints[].bearerTokenFile",
    acts: "sends a file of Prometheus, such as its token, to what it scrapes",
  },
  {
    group: "monitoring.coreos.com",
    kinds: ["ServiceMonitor", "PodMonitor", "Probe"],
    where: "spec.namespaceSelector.any",
    acts: "reads metrics of other namespaces",
  },
  { group: "monitoring.coreos.com", kinds: ["ServiceMonitor", "PodMonitor", "Probe", "PrometheusRule"] },
  { group: "monitoring.coreos.com", kinds: ["AlertmanagerConfig"], acts: "decides who receives alerts" },
  { group: "monitoring.coreos.com", acts: RUNS },
  { group: "sparkoperator.k8s.io", acts: RUNS },
  { group: "ray.io", acts: RUNS },
  { group: "postgresql.cnpg.io", acts: "runs databases, and restores or copies data that it names" },
  { group: "kubevirt.io", acts: "runs machines with the disks and devices that it names" },
  { group: "cdi.kubevirt.io", acts: "copies data into volumes" },
  { group: "clone.kubevirt.io", acts: "copies machines" },
  { group: "snapshot.kubevirt.io", acts: "copies machines" },
  { group: "velero.io", acts: "reads, writes or deletes objects and data of the whole cluster" },
  { group: "keda.sh", kinds: ["ScaledObject", "ScaledJob", "TriggerAuthentication"] },
  { group: "keda.sh", kinds: ["ClusterTriggerAuthentication"], acts: "lets all namespaces use its credentials" },
];

/** Kinds from which operators create workloads: Prometheus, Spark, Ray, databases, KubeVirt. */

import { RUNS, type KindRule, type Reference } from "./rule";

const secretIn = (field: string): Reference => ({ field, verb: "reads", kind: "Secret" });

/** Secrets that Prometheus sends to what it scrapes. */
const sentTo = (endpoint: string): Reference[] =>
  [
    ...["basicAuth.username", "basicAuth.password", "bearerTokenSecret", "authorization.credentials"],
    ...["tlsConfig.ca.secret", "tlsConfig.cert.secret", "tlsConfig.keySecret"],
    ...["oauth2.clientId.secret", "oauth2.clientSecret"],
  ].map((field) => ({ ...secretIn(`${endpoint}.${field}.name`), again: true }));

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
  {
    group: "monitoring.coreos.com",
    kinds: ["ServiceMonitor", "PodMonitor"],
    refers: [{ field: "spec.namespaceSelector.matchNames[]", verb: "reads metrics of", kind: "Namespace" }],
  },
  { group: "monitoring.coreos.com", kinds: ["ServiceMonitor"], refers: sentTo("spec.endpoints[]") },
  { group: "monitoring.coreos.com", kinds: ["PodMonitor"], refers: sentTo("spec.podMetricsEndpoints[]") },
  { group: "monitoring.coreos.com", kinds: ["Probe"], refers: sentTo("spec") },
  { group: "monitoring.coreos.com", kinds: ["PrometheusRule"] },
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
  { group: "keda.sh", kinds: ["ScaledObject", "ScaledJob"] },
  {
    group: "keda.sh",
    kinds: ["TriggerAuthentication"],
    refers: [
      secretIn("spec.secretTargetRef[].name"),
      { field: "spec.configMapTargetRef[].name", verb: "reads", kind: "ConfigMap" },
      {
        field: "spec.boundServiceAccountToken[].serviceAccountName",
        verb: "has a token of",
        kind: "ServiceAccount",
      },
    ],
  },
  {
    group: "keda.sh",
    kinds: ["TriggerAuthentication"],
    where: "spec.podIdentity",
    acts: "uses the identity of KEDA or of the pods in a cloud",
  },
  { group: "keda.sh", kinds: ["ClusterTriggerAuthentication"], acts: "lets all namespaces use its credentials" },
];

/** Kinds of Kubernetes itself. What their pods, roles, webhooks, Services and autoscalers do is found elsewhere. */

import { ROUTES, type KindRule, type Reference } from "./rule";

const CLASS = "decides how objects of others that name it, or name none, are served";

const COPY = "copies data that it names";
const BY_LABELS = "binds a volume by its labels";

/** Claims whose data a template of claims copies, and volumes that it binds. */
const sourcesOf = (template: string): Reference[] => [
  ...["dataSource", "dataSourceRef"].map((key) => ({
    field: `${template}.spec.${key}.name`,
    verb: "copies",
    kind: "PersistentVolumeClaim",
  })),
  { field: `${template}.spec.volumeName`, verb: "binds", kind: "PersistentVolume" },
];

/** Template of claims that live as long as a pod. */
const EPHEMERAL = "volumes[].ephemeral.volumeClaimTemplate";
const copied = (pod: string): Reference[] => sourcesOf(`${pod}.${EPHEMERAL}`);

const POD = "spec.template.spec";

const PODS_OF_APPS = ["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"];

export const KUBERNETES: readonly KindRule[] = [
  {
    group: "",
    kinds: [
      ...["ConfigMap", "Endpoints", "PodTemplate", "ReplicationController"],
      ...["Secret", "Service", "ServiceAccount"],
    ],
  },
  { group: "", kinds: ["PersistentVolume"], acts: "offers a volume to claims" },
  // Its labels and annotations decide which policies apply to its pods.
  { group: "", kinds: ["LimitRange", "Namespace", "ResourceQuota"], restricts: true },
  { group: "", kinds: ["PersistentVolumeClaim"], where: "spec.volumeName", acts: "binds a volume by its name" },
  { group: "", kinds: ["PersistentVolumeClaim"], where: "spec.selector", acts: BY_LABELS },
  { group: "", kinds: ["PersistentVolumeClaim"], where: "spec.dataSource", acts: COPY },
  { group: "", kinds: ["PersistentVolumeClaim"], where: "spec.dataSourceRef", acts: COPY },
  { group: "", kinds: ["Pod"], refers: copied("spec") },
  {
    group: "",
    kinds: ["Event", "Binding", "Node"],
    acts: "is an object that components of Kubernetes write and trust",
  },
  { group: "apps", kinds: ["DaemonSet", "Deployment", "ReplicaSet"], refers: copied(POD) },
  {
    group: "apps",
    kinds: ["StatefulSet"],
    refers: [...copied(POD), ...sourcesOf("spec.volumeClaimTemplates[]")],
  },
  { group: "apps", kinds: ["StatefulSet"], where: "spec.volumeClaimTemplates[].spec.selector", acts: BY_LABELS },
  { group: "apps", kinds: PODS_OF_APPS, where: `${POD}.${EPHEMERAL}.spec.selector`, acts: BY_LABELS },
  { group: "batch", kinds: ["Job"], where: `${POD}.${EPHEMERAL}.spec.selector`, acts: BY_LABELS },
  { group: "", kinds: ["Pod"], where: `spec.${EPHEMERAL}.spec.selector`, acts: BY_LABELS },
  { group: "batch", kinds: ["Job"], where: "spec.manualSelector", acts: "takes over pods by their labels" },
  { group: "apps", kinds: ["ControllerRevision"], acts: "is read as a revision of a DaemonSet or StatefulSet" },
  { group: "batch", kinds: ["Job"], refers: copied(POD) },
  {
    group: "batch",
    kinds: ["Job"],
    where: "spec.managedBy",
    acts: "is run by another controller, which may be one of another cluster",
    shows: ["spec.managedBy"],
  },
  { group: "batch", kinds: ["CronJob"], refers: copied("spec.jobTemplate.spec.template.spec") },
  { group: "autoscaling" },
  { group: "autoscaling.k8s.io" },
  { group: "policy", kinds: ["PodDisruptionBudget"], restricts: true },
  { group: "rbac.authorization.k8s.io" },
  { group: "apiextensions.k8s.io" },
  { group: "apiregistration.k8s.io" },
  { group: "admissionregistration.k8s.io", restricts: true },
  { group: "networking.k8s.io", kinds: ["NetworkPolicy"], restricts: true },
  { group: "networking.k8s.io", kinds: ["Ingress"], acts: ROUTES, shows: ["spec.rules[].host"] },
  { group: "networking.k8s.io", kinds: ["IngressClass"], acts: CLASS },
  { group: "discovery.k8s.io" },
  { group: "coordination.k8s.io", kinds: ["Lease"], acts: "is read as the claim of a leader" },
  { group: "storage.k8s.io", acts: CLASS },
  { group: "scheduling.k8s.io", acts: CLASS },
  { group: "node.k8s.io", acts: CLASS },
  { group: "resource.k8s.io", acts: "allocates devices of nodes" },
  { group: "flowcontrol.apiserver.k8s.io", acts: "decides which requests the API server serves first" },
  { group: "certificates.k8s.io", acts: "requests or distributes certificates that components of the cluster trust" },
  {
    group: "snapshot.storage.k8s.io",
    kinds: ["VolumeSnapshot"],
    refers: [{ field: "spec.source.persistentVolumeClaimName", verb: "copies", kind: "PersistentVolumeClaim" }],
  },
  {
    group: "snapshot.storage.k8s.io",
    kinds: ["VolumeSnapshot"],
    where: "spec.source.volumeSnapshotContentName",
    acts: "binds the content of a snapshot by its name",
  },
  { group: "snapshot.storage.k8s.io", kinds: ["VolumeSnapshotContent", "VolumeSnapshotClass"], acts: CLASS },
];

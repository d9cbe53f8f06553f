/** Cluster-scoped kinds of Kubernetes itself. */

const CLUSTER_KINDS: Readonly<Record<string, readonly string[]>> = {
  "": ["Namespace", "Node", "PersistentVolume"],
  "admissionregistration.k8s.io": [
    ...["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    ...["MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding"],
    ...["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"],
  ],
  "apiextensions.k8s.io": ["CustomResourceDefinition"],
  "apiregistration.k8s.io": ["APIService"],
  "certificates.k8s.io": ["CertificateSigningRequest", "ClusterTrustBundle"],
  "flowcontrol.apiserver.k8s.io": ["FlowSchema", "PriorityLevelConfiguration"],
  "networking.k8s.io": ["IngressClass", "IPAddress", "ServiceCIDR"],
  "node.k8s.io": ["RuntimeClass"],
  "rbac.authorization.k8s.io": ["ClusterRole", "ClusterRoleBinding"],
  "resource.k8s.io": ["DeviceClass", "DeviceTaintRule", "ResourceSlice"],
  "scheduling.k8s.io": ["PriorityClass"],
  "storage.k8s.io": ["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"],
};

export const isClusterKind = (group: string, kind: string): boolean =>
  Object.hasOwn(CLUSTER_KINDS, group) && (CLUSTER_KINDS[group] ?? []).includes(kind);

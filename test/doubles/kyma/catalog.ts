import type { KubeObject } from "../../../kubernetes/objects/objects";

const GROUP = "servicecatalog.k8s.io";
const KINDS = [
  ["ClusterServiceBroker", "clusterservicebrokers", "Cluster"],
  ["ClusterServiceClass", "clusterserviceclasses", "Cluster"],
  ["ServiceInstance", "serviceinstances", "Namespaced"],
] as const;

/** The kinds of Service Catalog for brokers, classes and instances. */
export const CATALOG: readonly KubeObject[] = KINDS.map(([kind, plural, scope]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${GROUP}`, annotations: { "api-approved.kubernetes.io": "unapproved, a test double" } },
  spec: {
    group: GROUP,
    scope,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
}));

/** A broker with one class and one instance. */
export function brokerWith(name: string, url: string, namespace: string): KubeObject[] {
  const apiVersion = `${GROUP}/v1beta1`;
  return [
    {
      apiVersion,
      kind: "ClusterServiceBroker",
      metadata: { name, finalizers: ["kubernetes-incubator/service-catalog"] },
      spec: { url },
    },
    { apiVersion, kind: "ClusterServiceClass", metadata: { name }, spec: { clusterServiceBrokerName: name } },
    {
      apiVersion,
      kind: "ServiceInstance",
      metadata: { name, namespace },
      spec: { clusterServiceClassRef: { name } },
    },
  ];
}

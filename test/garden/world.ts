/** What Gardener's own API server needs around a project besides the double's world. */

import { textAt, type KubeObject } from "../../kubernetes/objects/objects";
import { GROUP, VERSION } from "../doubles/gardener/kinds/definitions";
import { CLOUDS, IMAGES, world } from "../doubles/gardener/world";
import { ACCOUNTS } from "./accounts";

const API = `${GROUP}/${VERSION}`;
const GARDEN = "garden";

/** Extensions of the types that the product names. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  Network: ["calico"],
  OperatingSystemConfig: Object.keys(IMAGES),
  DNSRecord: ["aws-route53"],
  Extension: [
    "shoot-dns-service",
    "shoot-cert-service",
    "shoot-networking-filter",
    "shoot-oidc-service",
    "shoot-auditlog-service",
    "acl",
  ],
  ...Object.fromEntries(
    ["BackupBucket", "BackupEntry", "Infrastructure", "ControlPlane", "Worker"].map((kind) => [
      kind,
      CLOUDS.map(({ type }) => type),
    ]),
  ),
};

const registration: KubeObject = {
  apiVersion: API,
  kind: "ControllerRegistration",
  metadata: { name: "everything" },
  spec: {
    resources: Object.entries(TYPES).flatMap(([kind, types]) =>
      types.map((type) => ({ kind, type, ...(kind === "Extension" && { workerlessSupported: true }) })),
    ),
  },
};

const domain = (role: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    ...{ namespace: GARDEN, name: role },
    labels: { "gardener.cloud/role": role },
    annotations: { "dns.gardener.cloud/provider": "aws-route53", "dns.gardener.cloud/domain": `${role}.example.com` },
  },
});

const exposureClass = (name: string): KubeObject => ({
  apiVersion: API,
  kind: "ExposureClass",
  metadata: { name },
  handler: name,
});

export const secret = (namespace: string, name: string, data: Readonly<Record<string, string>> = {}): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Secret", metadata: { namespace, name }, type: "Opaque" },
  stringData: data,
});

/** Images by cloud, as its extension expects them in the CloudProfile. */
const IMAGE_OF: Readonly<Record<string, (regions: readonly string[]) => object>> = {
  aws: (regions) => ({
    regions: regions.map((name) => ({ name, ami: "ami-0123456789abcdef0", architecture: "amd64" })),
  }),
  azure: () => ({ urn: "sap:gardenlinux:greatest:1.0.0" }),
  gcp: () => ({ image: "projects/gardenlinux/global/images/one" }),
  openstack: () => ({ image: "gardenlinux" }),
};
const CONFIG: Readonly<Record<string, object>> = {
  azure: {
    countUpdateDomains: [{ region: "westeurope", count: 5 }],
    countFaultDomains: [{ region: "westeurope", count: 3 }],
  },
  openstack: {
    keystoneURL: "https://keystone.example.com",
    constraints: {
      floatingPools: [{ name: "FloatingIP-external-kyma-01" }],
      loadBalancerProviders: [{ name: "f5" }, { name: "octavia" }],
    },
  },
};

const cloudConfig = ({ type, regions }: (typeof CLOUDS)[number]): object => ({
  apiVersion: `${type}.provider.extensions.gardener.cloud/v1alpha1`,
  kind: "CloudProfileConfig",
  machineImages: Object.entries(IMAGES).map(([name, versions]) => ({
    name,
    versions: versions.map((version) => ({ version, ...IMAGE_OF[type]?.(Object.keys(regions)) })),
  })),
  ...CONFIG[type],
});

/** The double's objects with what Gardener demands of them. */
function completed(object: KubeObject): KubeObject[] {
  const { metadata } = object;
  const spec = object["spec"] as Record<string, unknown>;
  const cloud = CLOUDS.find(({ type, profile }) => profile === metadata.name || `${type}-eu1` === metadata.name);
  switch (object.kind) {
    case "Namespace":
      return [
        { ...object, metadata: { ...metadata, labels: { ...metadata.labels, "gardener.cloud/role": "project" } } },
      ];
    case "Project":
      return [{ ...object, spec: { ...spec, tolerations: { whitelist: [{ key: "ksa-assured-workload" }] } } }];
    case "CloudProfile":
      return [{ ...object, spec: { ...spec, ...(cloud && { providerConfig: cloudConfig(cloud) }) } }];
    case "Seed":
      return [
        {
          ...object,
          spec: {
            ...spec,
            provider: { ...(spec["provider"] as object), zones: ["a", "b", "c"] },
            dns: {
              provider: dnsOf("default-domain"),
              internal: { ...dnsOf("internal-domain"), domain: "in.example.com" },
            },
            ingress: { domain: `${metadata.name}.example.com`, controller: { kind: "nginx" } },
          },
        },
      ];
    case "SecretBinding":
      return [secret(metadata.namespace ?? "", metadata.name, accountOf(object)), object];
    default:
      return [object];
  }
}

const accountOf = (binding: KubeObject) => ACCOUNTS[textAt(binding, "provider", "type") ?? ""];

const dnsOf = (name: string): object => ({
  type: "aws-route53",
  credentialsRef: { apiVersion: "v1", kind: "Secret", name, namespace: GARDEN },
});

export const gardenWorld = (project: string): KubeObject[] => [
  registration,
  ...["default-domain", "internal-domain"].map((role) => domain(role)),
  ...["internet", "converged-cloud-internet"].map((name) => exposureClass(name)),
  ...world(project).flatMap((object) => completed(object)),
  secret(`garden-${project}`, "route53", ACCOUNTS["aws"]),
];

/** A Gardener project: its members, credentials and clouds. */

import type { KubeObject } from "../../../kubernetes/objects/objects";
import { FAULT_BINDINGS } from "./behaviour/faults";
import { GROUP, VERSION } from "./kinds/definitions";

export const ROBOT = "robot";
const API = `${GROUP}/${VERSION}`;

interface Cloud {
  readonly type: string;
  readonly profile: string;
  readonly machines: readonly string[];
  readonly volumes: readonly string[];
  /** Zones by region. */
  readonly regions: Readonly<Record<string, readonly string[]>>;
}

/** A small part of what the clouds offer, under the names in the Kyma Runtime Provisioner. */
export const CLOUDS: readonly Cloud[] = [
  {
    type: "gcp",
    profile: "gcp",
    machines: ["n1-standard-4", "n2-standard-4", "n2-standard-8"],
    volumes: ["pd-ssd", "pd-standard"],
    regions: {
      "europe-west3": ["europe-west3-a", "europe-west3-b", "europe-west3-c"],
      "me-central2": ["me-central2-a", "me-central2-b", "me-central2-c"],
    },
  },
  {
    type: "azure",
    profile: "az",
    machines: ["Standard_D4_v3", "Standard_D8_v3"],
    volumes: ["Standard_LRS", "StandardSSD_LRS"],
    regions: { westeurope: ["1", "2", "3"], switzerlandnorth: ["1", "2", "3"] },
  },
  {
    type: "aws",
    profile: "aws",
    machines: ["m5.2xlarge", "m6i.large", "m6i.xlarge"],
    volumes: ["gp2", "gp3"],
    regions: { "eu-central-1": ["eu-central-1a", "eu-central-1b", "eu-central-1c"] },
  },
  {
    type: "openstack",
    profile: "converged-cloud-kyma",
    machines: ["g_c4_m16", "g_c8_m32"],
    volumes: [],
    regions: { "eu-de-1": ["eu-de-1a", "eu-de-1b"] },
  },
];

const VERSIONS = ["1.36.0", "1.35.2", "1.34.3", "1.33.4", "1.32.8", "1.31.12", "1.20.8", "1.20.7"];
export const IMAGES = { gardenlinux: ["1877.4.0", "1877.3.0", "1592.14.0"], ubuntu: ["22.4.20250801", "12.0.2"] };

const EU_ACCESS = [{ name: "eu-access-only" }];

const profile = ({ type, profile: name, machines, volumes, regions }: Cloud): KubeObject => ({
  apiVersion: API,
  kind: "CloudProfile",
  metadata: { name },
  spec: {
    type,
    kubernetes: {
      // Of the patches of a minor version, one is supported at a time.
      versions: VERSIONS.map((version) => ({
        version,
        classification: version === "1.20.7" ? "deprecated" : "supported",
      })),
    },
    machineImages: Object.entries(IMAGES).map(([image, versions]) => ({
      name: image,
      versions: versions.map((version) => ({ version, classification: "supported", architectures: ["amd64"] })),
    })),
    machineTypes: machines.map((machine) => ({ name: machine, cpu: "4", gpu: "0", memory: "16Gi", usable: true })),
    regions: Object.entries(regions).map(([region, zones]) => ({
      name: region,
      accessRestrictions: EU_ACCESS,
      zones: zones.map((zone) => ({ name: zone })),
    })),
    volumeTypes: volumes.map((volume) => ({ name: volume, class: "standard", usable: true })),
  },
});

const seed = ({ type, regions }: Cloud): KubeObject => ({
  apiVersion: API,
  kind: "Seed",
  metadata: { name: `${type}-eu1` },
  spec: {
    accessRestrictions: EU_ACCESS,
    provider: { type, region: Object.keys(regions)[0] },
    networks: { nodes: "10.240.0.0/16", pods: "10.241.128.0/17", services: "10.241.0.0/17" },
  },
});

export const secretBinding = (namespace: string, name: string, type: string): KubeObject => ({
  apiVersion: API,
  kind: "SecretBinding",
  metadata: { namespace, name },
  secretRef: { name, namespace },
  provider: { type },
});

/** With the Secret of the SecretBinding of that name, so that a Shoot can change from one to the other. */
export const credentialsBinding = (namespace: string, name: string, type: string): KubeObject => ({
  apiVersion: "security.gardener.cloud/v1alpha1",
  kind: "CredentialsBinding",
  metadata: { namespace, name },
  credentialsRef: { apiVersion: "v1", kind: "Secret", name, namespace },
  provider: { type },
});

/**
 * A project with a robot account (a ServiceAccount) that has the permissions of a Gardener project's admin: of all
 * namespaces and projects it may read its own.
 */
export function world(project: string): KubeObject[] {
  const namespace = `garden-${project}`;
  const rbac = "rbac.authorization.k8s.io/v1";
  const everything = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace, labels: { "project.gardener.cloud/name": project } },
    },
    { apiVersion: API, kind: "Project", metadata: { name: project }, spec: { namespace, purpose: "tests" } },
    ...CLOUDS.flatMap((cloud) => [profile(cloud), seed(cloud)]),
    ...CLOUDS.flatMap(({ type }) => [secretBinding(namespace, type, type), credentialsBinding(namespace, type, type)]),
    ...FAULT_BINDINGS.map((name) => secretBinding(namespace, name, "gcp")),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace, name: ROBOT } },
    {
      apiVersion: rbac,
      kind: "Role",
      metadata: { namespace, name: "project-admin" },
      rules: [
        { apiGroups: [GROUP], resources: ["shoots", "secretbindings"], verbs: everything },
        { apiGroups: ["security.gardener.cloud"], resources: ["credentialsbindings"], verbs: everything },
        { apiGroups: [GROUP], resources: ["shoots/adminkubeconfig", "shoots/viewerkubeconfig"], verbs: ["create"] },
        { apiGroups: [""], resources: ["configmaps", "secrets", "serviceaccounts", "events"], verbs: everything },
      ],
    },
    {
      apiVersion: rbac,
      kind: "RoleBinding",
      metadata: { namespace, name: "project-admin" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "project-admin" },
      subjects: [{ kind: "ServiceAccount", namespace, name: ROBOT }],
    },
    {
      apiVersion: rbac,
      kind: "ClusterRole",
      metadata: { name: `gardener-readers-${project}` },
      rules: [
        { apiGroups: [GROUP], resources: ["cloudprofiles", "seeds"], verbs: ["get", "list", "watch"] },
        { apiGroups: [GROUP], resources: ["projects"], resourceNames: [project], verbs: ["get"] },
        { apiGroups: [""], resources: ["namespaces"], resourceNames: [namespace], verbs: ["get"] },
      ],
    },
    {
      apiVersion: rbac,
      kind: "ClusterRoleBinding",
      metadata: { name: `gardener-readers-${project}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: `gardener-readers-${project}` },
      subjects: [{ kind: "ServiceAccount", namespace, name: ROBOT }],
    },
  ];
}

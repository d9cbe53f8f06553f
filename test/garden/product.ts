/** What the product sends to Gardener for a request: by its plan and its resource, as an update of a stack does. */

import type { ClusterRequest } from "../../components/runtime/request/cluster/shape";
import { shootOfPlan } from "../../components/runtime/types/gardener/create";
import { shootOf } from "../../components/runtime/types/gardener/shoot/shoot";
import { planGardener } from "../../components/runtime/types/gardener/plan";
import type { GardenerProvisioner } from "../../components/runtime/types/gardener/spec";
import { forVersion } from "../../kubernetes/gardener/versionFields";
import type { KubeObject } from "../../kubernetes/objects/objects";
import type { ShootInputs } from "../../provider/resources/shoot/inputs";
import type { Case } from "./cases";
import { NAMESPACE, PROJECT, type Garden } from "./garden";

const SPEC: GardenerProvisioner = {
  ...{ type: "gardener", cluster: "https://gardener.example.com", project: PROJECT, namespace: NAMESPACE },
  secretBindings: { gcp: "gcp", azure: "azure", aws: "aws", openstack: "openstack" },
  ...{ cloudProfiles: {}, defaults: {}, maintenanceWindows: {}, auditLogs: {}, timeouts: {} },
  allowForceDeletion: false,
};

/** No two Shoots can have one domain. */
function withOwnDomain(cluster: ClusterRequest, name: string): ClusterRequest {
  const { dnsConfig } = cluster;
  return { ...cluster, name, ...(dnsConfig && { dnsConfig: { ...dnsConfig, domain: `${name}.acme.example.com` } }) };
}

/** The planned Shoot; throws where the product itself refuses the request. */
export function shootFor(name: string, { cluster, hibernated = false }: Omit<Case, "title">): KubeObject {
  const deployment = {
    ...{ id: name, slots: 1, version: "", environment: "prod", annotations: {} },
    state: hibernated ? ("hibernated" as const) : ("running" as const),
    cluster: withOwnDomain(cluster, name),
  };
  const size = { cpu: 0, memoryGb: 0, storageBytes: 0 };
  return shootOfPlan(planGardener({ provisioner: "garden", deployment, ...size }, SPEC)) as KubeObject;
}

/** The Shoot of a request, right or wrong. */
export function uncheckedShoot(name: string, cluster: ClusterRequest): KubeObject {
  const binding = { kind: "SecretBinding" as const, name: cluster.provider ?? "" };
  const options = { name, namespace: NAMESPACE, binding, runtimeId: name, hibernated: false };
  return forVersion(shootOf(withOwnDomain(cluster, name), options) as unknown as KubeObject).shoot;
}

/** Nobody plays the gardenlet, so an update does not wait for the cluster. */
export const inputsOf = ({ kubeconfig }: Garden, shoot: KubeObject): ShootInputs => ({
  ...{ kubeconfig, cluster: "https://gardener.example.com", shoot, wait: false },
  instance: `instance-of-${shoot.metadata.name}`,
});

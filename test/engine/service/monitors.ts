import type { World } from "../runtime/world";

const CRD = "servicemonitors.monitoring.coreos.com";

/** As much of Prometheus' operator as a cluster has to have. */
const MONITORS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: CRD },
  spec: {
    group: "monitoring.coreos.com",
    names: { kind: "ServiceMonitor", plural: "servicemonitors" },
    scope: "Namespaced",
    versions: [
      {
        ...{ name: "v1", served: true, storage: true },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** Gives the cluster the kind ServiceMonitor. */
export async function addMonitors(world: World): Promise<void> {
  await world.apply("default", MONITORS);
  await world.kubectl("wait", "--for=condition=Established", `crd/${CRD}`, "--timeout=60s");
}

export const removeMonitors = (world: World): Promise<string> =>
  world.kubectl("delete", "crd", CRD, "--ignore-not-found");

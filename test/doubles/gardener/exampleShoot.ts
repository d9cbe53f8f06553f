import type { KubeObject } from "../../../kubernetes/objects/objects";
import { GROUP, VERSION } from "./kinds/definitions";

/** A small Shoot on GCP; `change` is merged into its spec. */
export function exampleShoot(namespace: string, name: string, change: object = {}): KubeObject {
  return {
    apiVersion: `${GROUP}/${VERSION}`,
    kind: "Shoot",
    metadata: { namespace, name },
    spec: {
      cloudProfileName: "gcp",
      secretBindingName: "gcp",
      region: "europe-west3",
      purpose: "testing",
      kubernetes: { version: "1.32.8" },
      networking: { type: "calico", nodes: "10.250.0.0/16", pods: "10.60.0.0/16", services: "10.240.0.0/16" },
      provider: {
        type: "gcp",
        infrastructureConfig: {
          apiVersion: "gcp.provider.extensions.gardener.cloud/v1alpha1",
          kind: "InfrastructureConfig",
          networks: { workers: "10.250.0.0/16" },
        },
        workers: [
          {
            name: "cpu-worker-0",
            machine: { type: "n1-standard-4" },
            volume: { type: "pd-standard", size: "50Gi" },
            minimum: 2,
            maximum: 4,
            maxSurge: 1,
            maxUnavailable: 0,
            zones: ["europe-west3-a"],
          },
        ],
      },
      ...change,
    },
  };
}

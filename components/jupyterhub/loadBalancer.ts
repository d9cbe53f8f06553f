import type { Release } from "@pulumi/kubernetes/helm/v3";
import { Service } from "@pulumi/kubernetes/core/v1/service";
import type * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../cluster/cluster";
import { PUBLIC_SERVICE } from "./publicService";
import type { JupyterHubSettings } from "./settings";

interface LoadBalancerArgs {
  readonly cluster: Cluster;
  readonly settings: JupyterHubSettings;
  readonly release: Release;
}

const NAMING = ["fullnameOverride", "nameOverride"];

/** Host name or address of the public load balancer. Undefined if there is none, or if values rename its Service. */
export function loadBalancer(
  name: string,
  { cluster, settings, release }: LoadBalancerArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  const { namespace, service, values } = settings;
  if (service.type !== "LoadBalancer" || NAMING.some((key) => key in values)) return undefined;
  // Unknown in the preview that creates the release. Helm waits for the address.
  const id = release.status.apply(() => `${namespace}/${PUBLIC_SERVICE}`);
  const { status } = Service.get(name, id, { ...opts, provider: cluster.provider });
  return status.apply((found) => {
    const [first] = found?.loadBalancer?.ingress ?? [];
    return first?.hostname ?? first?.ip ?? "";
  });
}

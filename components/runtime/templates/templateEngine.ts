import { Provider } from "@pulumi/kubernetes/provider";

/**
 * The Kubernetes provider, used for its Go template engine. The invalid kubeconfig prevents access to any cluster,
 * including that of the user's own kubeconfig. It must not be a YAML map, because the provider would write that to a
 * temporary file and not delete it.
 */
export function templateEngine(): Provider {
  return new Provider("templates", { kubeconfig: "none, because templates are rendered without a cluster" });
}

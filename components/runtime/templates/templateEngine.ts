import { Provider } from "@pulumi/kubernetes/provider";

/**
 * The Kubernetes provider, for the Go template engine that it includes. A kubeconfig that is none keeps it from
 * every cluster, the one of the user's own kubeconfig too. It must not even be YAML of a map: the provider would write it
 * to a temporary file and leave that behind.
 */
export function templateEngine(): Provider {
  return new Provider("templates", { kubeconfig: "none, because templates are rendered without a cluster" });
}

import type { Resource } from "@pulumi/pulumi";
import { Provider } from "@pulumi/kubernetes/provider";

/**
 * The Kubernetes provider, used for its Go template engine. The invalid kubeconfig prevents access to any cluster,
 * including that of the user's own kubeconfig. It must not be a YAML map, because the provider would write that to a
 * temporary file and not delete it. `owner`: the runtime whose it is, in a program that has several.
 */
export function templateEngine(owner?: { readonly name: string; readonly parent: Resource }): Provider {
  const name = owner ? `${owner.name}-templates` : "templates";
  return new Provider(
    name,
    { kubeconfig: "none, because templates are rendered without a cluster" },
    { parent: owner?.parent },
  );
}

/** What the package schema says of a LoadBalancerGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { listOf, plain, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "Refuses that a cluster is deleted while Services or Ingresses of others hold load balancers, unless `stackyard:allowLeftovers` of the stack's config is `true`. It has to depend on all that is in the cluster, so that it is deleted first.",
  inputs: {
    kubeconfig,
    context,
    owners: plain(listOf("BalancerOwner", "What the stack has in the cluster, and deletes with its load balancers.")),
  },
  required: ["owners"],
  types: {
    BalancerOwner: {
      type: "object",
      description: "What may have Services and Ingresses.",
      properties: {
        type: plain(text("`set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release.")),
        namespace: plain(text("Namespace of the set, bundle or release.")),
        name: plain(text("Name of the set, bundle or release.")),
      },
      required: ["type", "namespace", "name"],
    },
  },
} satisfies ResourceSchema;

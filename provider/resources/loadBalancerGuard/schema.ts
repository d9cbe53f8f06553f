/** Package schema of LoadBalancerGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { listOf, plain, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "Prevents the deletion of a cluster while Services or Ingresses of other owners have load balancers, unless `stackyard:allowLeftovers` in the stack's config is `true`. It must depend on everything in the cluster, so that it is deleted first.",
  inputs: {
    kubeconfig,
    context,
    owners: plain(
      listOf("BalancerOwner", "What the stack has in the cluster and deletes together with its load balancers."),
    ),
  },
  required: ["owners"],
  types: {
    BalancerOwner: {
      type: "object",
      description: "An owner of Services and Ingresses.",
      properties: {
        type: plain(text("`set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release.")),
        namespace: plain(text("Namespace of the set, bundle or release.")),
        name: plain(text("Name of the set, bundle or release.")),
      },
      required: ["type", "namespace", "name"],
    },
  },
} satisfies ResourceSchema;

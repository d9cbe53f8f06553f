/** Package schema of LoadBalancerGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { listField, plainField, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "Prevents the deletion of a cluster while Services or Ingresses of other owners have load balancers, unless `stackyard:allowLeftovers` in the stack's config is `true`. It must depend on everything in the cluster, so that it is deleted first.",
  inputs: {
    kubeconfig,
    context,
    owners: plainField(
      listField("BalancerOwner", "What the stack has in the cluster and deletes together with its load balancers."),
    ),
  },
  required: ["owners"],
  types: {
    BalancerOwner: {
      type: "object",
      description: "An owner of Services and Ingresses.",
      properties: {
        type: plainField(textField("`set`: a ManifestSet; `bundle`: a BundleRelease; `release`: a Helm release.")),
        namespace: plainField(textField("Namespace of the set, bundle or release.")),
        name: plainField(textField("Name of the set, bundle or release.")),
      },
      required: ["type", "namespace", "name"],
    },
  },
} as const satisfies ResourceSchema;

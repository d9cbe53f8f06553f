/** What the package schema says of a ClusterIdentity. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "What a cluster is known by, whatever its address. It makes nothing.",
  inputs: { kubeconfig, context, cluster },
  required: ["cluster"],
  outputs: {
    identifier: text(
      "UID of the cluster (of its namespace kube-system); its address where the kubeconfig's user may not read that.",
    ),
  },
} satisfies ResourceSchema;

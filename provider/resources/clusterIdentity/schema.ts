/** What the package schema says of a ClusterIdentity. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "What a cluster is known by, whatever its address. Makes nothing.",
  inputs: { kubeconfig, context, cluster },
  required: ["cluster"],
  outputs: { identifier: text("UID of the cluster; its address where the user may not read that.") },
} satisfies ResourceSchema;

/** Package schema of ClusterIdentity. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Identity of a cluster, independent of its address. Creates nothing.",
  inputs: { kubeconfig, context, cluster },
  required: ["cluster"],
  outputs: {
    identifier: textField(
      "UID of the cluster (of its namespace kube-system), or its address if the kubeconfig's user may not read the UID.",
    ),
  },
} as const satisfies ResourceSchema;

/** What the package schema says of a DataGuard. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Refuses that parts of a platform are deleted with claims that stackyard:allowDataLoss does not name.",
  inputs: {
    kubeconfig,
    context,
    parts: {
      type: "array",
      items: ANY_OBJECT,
      description:
        "What holds data: sets, bundles and Helm releases, each as { type, namespace, name } and its cluster.",
    },
  },
  required: ["parts"],
} satisfies ResourceSchema;

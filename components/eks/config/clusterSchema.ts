import * as z from "zod";
import { strict } from "../../../foundation/schema/fields";
import { context, kubeconfig } from "../../cluster/access/kubeconfigSchema";
import { eksCluster, existingEks } from "./schema";

const existingCluster = strict("an object", {
  type: z.literal("existing").describe("An existing cluster."),
  kubeconfig: kubeconfig.describe("Kubeconfig of the cluster. Certificate files that it names are embedded."),
  context,
  eks: existingEks
    .optional()
    .describe(
      "Set this if the cluster is on EKS: the platform then creates IAM roles for `dataAccess`, `clusterAutoscaler` and `ingress`.",
    ),
});

/** Schema of the key `cluster`. */
export const clusterSchema = z
  .discriminatedUnion("type", [existingCluster, eksCluster], { error: "existing, eks or pulumiEks" })
  .describe("The platform's cluster. Optional if no provisioner uses it.");

export type ClusterInput = z.output<typeof clusterSchema>;

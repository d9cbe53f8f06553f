/** Package schema of ProvisionerRegistration. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { flagField, plainField, secret, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A provisioner of a platform that has no ledger. Destroying it fails while it has deployments.",
  inputs: {
    kubeconfig,
    context,
    platform: plainField(textField("Platform stack, `organization/project/stack`.")),
    provisioner: plainField(textField("Name of the provisioner.")),
    namespace: plainField(textField("Namespace of the objects that deployments get from it.")),
    url: secret(
      "URL of the ClickHouse server instead of cluster and namespace, with a user that can list all databases; a secret.",
    ),
    gives: plainField(
      textField("What deployments get from it: `clickhouse`, or `cluster` from Gardener. Default: their runtime."),
    ),
    alone: plainField(
      flagField(
        "`true`: no other provisioner of the platform uses the same cluster and namespace, or the same server.",
      ),
    ),
  },
  required: ["platform", "provisioner", "alone"],
  outputs: {
    clusterUid: textField(
      "UID of the cluster, or of the namespace of the Gardener project. Undefined if the kubeconfig's user may not read it.",
    ),
  },
  optional: ["clusterUid"],
} as const satisfies ResourceSchema;

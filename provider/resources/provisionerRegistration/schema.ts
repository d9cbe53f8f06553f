/** Package schema of ProvisionerRegistration. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { flag, plain, secret, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A provisioner of a platform that has no ledger. Destroying it fails while it has deployments.",
  inputs: {
    kubeconfig,
    context,
    platform: plain(text("Platform stack, `organization/project/stack`.")),
    provisioner: plain(text("Name of the provisioner.")),
    namespace: plain(text("Namespace of the objects that deployments get from it.")),
    url: secret(
      "URL of the ClickHouse server instead of cluster and namespace, with a user that can list all databases; a secret.",
    ),
    gives: plain(
      text("What deployments get from it: `clickhouse`, or `cluster` from Gardener. Default: their runtime."),
    ),
    alone: plain(
      flag("`true`: no other provisioner of the platform uses the same cluster and namespace, or the same server."),
    ),
  },
  required: ["platform", "provisioner", "alone"],
} satisfies ResourceSchema;

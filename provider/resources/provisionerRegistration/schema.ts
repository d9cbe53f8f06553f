/** What the package schema says of a ProvisionerRegistration. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { flag, plain, secret, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A provisioner of a platform that no ledger knows. Destroying it fails while deployments are with it.",
  inputs: {
    kubeconfig,
    context,
    platform: plain(text("Platform stack, `organization/project/stack`.")),
    provisioner: plain(text("Name of the provisioner.")),
    namespace: plain(text("Namespace of what deployments get from it.")),
    url: secret(
      "URL of the ClickHouse server instead of cluster and namespace, with a user who sees all databases; a secret.",
    ),
    gives: plain(
      text("What deployments get from it: `clickhouse`, or `cluster` from Gardener. Default: their runtime."),
    ),
    alone: plain(
      flag("Whether no other provisioner of the platform has the same cluster and namespace, or the same server."),
    ),
  },
  required: ["platform", "provisioner", "alone"],
} satisfies ResourceSchema;

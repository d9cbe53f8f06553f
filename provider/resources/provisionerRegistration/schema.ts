/** What the package schema says of a ProvisionerRegistration. */

import { context, kubeconfig } from "../../framework/clusterFields";
import { flag, secret, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A provisioner of a platform that no ledger knows, which is not removed while deployments are with it.",
  inputs: {
    kubeconfig,
    context,
    platform: text("Platform stack, organization/project/stack."),
    provisioner: text("Name of the provisioner."),
    namespace: text("Namespace of what deployments get from it."),
    url: secret("URL of the ClickHouse server instead of cluster and namespace, with a user who sees all databases."),
    gives: text("clickhouse: what deployments get from it. Optional; default: their runtime."),
    alone: flag("Whether no other provisioner of the platform has the same cluster and namespace, or the same server."),
  },
  required: ["platform", "provisioner", "alone"],
} satisfies ResourceSchema;

/** Package schema of Shoot. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { countField, flagField, objectField, record, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description:
    "A cluster that Gardener creates. It is never replaced: a change that is not possible in place is an error.",
  inputs: {
    kubeconfig: { ...kubeconfig, description: "Kubeconfig of the Gardener project, as YAML text." },
    context,
    cluster,
    shoot: objectField("The Shoot, a complete object with name and namespace."),
    operationId: textField(
      "Id of the service's operation that changes it, set as an annotation. A change of it alone does not cause an update.",
    ),
    wait: flagField("`false`: return as soon as Gardener has accepted a change. Default: true."),
    timeouts: {
      type: "object",
      additionalProperties: { type: "integer" },
      description: "Seconds by stage, such as WaitingForClusterCreation. Default: those of the Runtime Provisioner.",
    },
    auditLogs: objectField("Log services for audit logs, by provider of the Seed and by region. Default: none."),
    allowForceDeletion: flagField("`true`: force a deletion that Gardener can't finish. Default: false."),
    expectedGardenUid: textField(
      "UID of the project's namespace in the garden in which it is created or adopted. Default: any garden at that address.",
    ),
    adopt: textField(
      "Owner id of an existing Shoot, or the UID of a Shoot without an owner id, to take over unchanged. Default: create the Shoot.",
    ),
    record,
  },
  required: ["cluster", "shoot"],
  outputs: {
    uid: textField("UID of the Shoot."),
    generation: countField("Generation of the Shoot."),
    domain: textField("Domain of the cluster."),
    seed: textField("Seed of its control plane."),
    kubernetesVersion: textField("Kubernetes version of the cluster."),
    apiServer: textField("URL of its API server."),
    hibernated: flagField("True while the cluster is hibernated."),
    cpu: {
      type: "number",
      description: "Number of CPUs of its minimum number of nodes, if the CloudProfile can be read.",
    },
    memoryGb: { type: "number", description: "Memory of those nodes in GB." },
    instance: textField("Id of its owner, unless it was imported."),
    ownerGeneration: countField("Generation of the record of the Shoot's owner after the last change."),
    gardenUid: {
      ...textField(
        "UID of the project's namespace, which identifies the garden. Undefined if the user may not read it.",
      ),
      class: { hidden: true },
    },
    incomplete: {
      ...flagField("True while Gardener may not have finished the last change."),
      class: { hidden: true },
    },
  },
  optional: [
    "domain",
    "seed",
    "apiServer",
    "cpu",
    "memoryGb",
    "instance",
    "ownerGeneration",
    "gardenUid",
    "incomplete",
  ],
} as const satisfies ResourceSchema;

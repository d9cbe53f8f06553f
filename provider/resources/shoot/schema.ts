/** What the package schema says of a Shoot. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT, count, flag, record, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "A cluster that Gardener creates. It is never replaced: what can't change in place is an error.",
  inputs: {
    kubeconfig: { ...kubeconfig, description: "Kubeconfig of the Gardener project, as YAML text." },
    context,
    cluster,
    shoot: { ...ANY_OBJECT, description: "The Shoot, a complete object with name and namespace." },
    operationId: text("Operation of the service that changes it, an annotation; never a change by itself."),
    wait: flag("False returns as soon as Gardener has accepted a change. Default: true."),
    timeouts: {
      type: "object",
      additionalProperties: { type: "integer" },
      description: "Seconds by stage, such as WaitingForClusterCreation. Default: those of the Runtime Provisioner.",
    },
    auditLogs: {
      ...ANY_OBJECT,
      description: "Where audit logs go, by provider of the Seed and region. Default: nowhere.",
    },
    allowForceDeletion: flag("Whether a deletion that can't end is forced. Default: false."),
    adopt: text("Owner id of the Shoot, or UID of one without any: it is taken over as it is. Default: it is created."),
    record,
  },
  required: ["cluster", "shoot"],
  outputs: {
    uid: text("UID of the Shoot."),
    generation: count("Generation of the Shoot."),
    domain: text("Domain of the cluster."),
    seed: text("Seed of its control plane."),
    kubernetesVersion: text("Its Kubernetes version."),
    apiServer: text("URL of its API server."),
    hibernated: flag("Whether it is hibernated."),
    cpu: { type: "number", description: "CPUs of its least number of nodes, where the CloudProfile can be read." },
    memoryGb: { type: "number", description: "Memory in GB of those." },
    incomplete: {
      ...flag("True while Gardener is not done with the last change, as far as this knows."),
      class: { hidden: true },
    },
  },
  optional: ["domain", "seed", "apiServer", "cpu", "memoryGb", "incomplete"],
} satisfies ResourceSchema;

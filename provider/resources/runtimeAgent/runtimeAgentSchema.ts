/** Package schema of RuntimeAgent. */

import { directorFields } from "../../director/fields";
import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { countField, flagField, objectField, once, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "The configuration of the Compass agent in a runtime, and its connection to the Director.",
  inputs: {
    ...directorFields,
    tenant: once(directorFields.tenant),
    kubeconfig,
    context,
    cluster,
    runtimeId: once(textField("Id of the runtime in the Director.")),
    labels: objectField("Labels of the runtime in the Director, such as gardenerClusterName."),
    namespace: once(textField("Namespace of the agent. Default: compass-system.")),
    connect: flagField("Whether to wait until the agent is connected. Default: true."),
    timeoutSeconds: countField("Seconds until the agent must be connected. Default: 900."),
  },
  required: ["url", "tokenUrl", "clientId", "clientSecret", "tenant", "cluster", "runtimeId"],
  outputs: { connectionState: textField("State of the connection, as the agent reports it.") },
  optional: ["connectionState"],
} as const satisfies ResourceSchema;

/** Package schema of KymaModules. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { countField, flagField, objectField, objectsField, once, secret, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Kyma of a cluster by modules: its Kyma resource, and the access of Lifecycle Manager to the cluster.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    controlPlaneKubeconfig: secret(
      "Kubeconfig (YAML text) of the cluster in which Lifecycle Manager runs; a secret. Default: the cluster that the program itself runs in.",
    ),
    controlPlaneContext: textField("Context of that kubeconfig. Default: its current context."),
    controlPlane: textField("Address of that cluster, for messages."),
    name: once(textField("Name of the Kyma resource in the namespace kcp-system.")),
    shootUid: textField("UID of the Shoot. A Kyma resource of another Shoot, or of none, is not changed."),
    labels: objectField("Labels of the Kyma resource. Default: none."),
    domain: textField("Domain of the cluster."),
    channel: textField("Channel of modules that name none."),
    modules: objectsField(
      "Modules: name, channel, customResourcePolicy, managed. Those that others add in the cluster stay as they are.",
    ),
    timeoutSeconds: countField("Seconds until the modules must be ready, or removed. Default: 3600."),
    errorPatienceSeconds: countField("Seconds after which an error that does not change is final. Default: 600."),
  },
  required: ["cluster", "controlPlane", "name", "shootUid", "channel", "modules"],
  outputs: {
    state: textField("State that Lifecycle Manager reports."),
    versions: objectField("Version of each module."),
    controlPlaneUid: {
      ...textField("UID of the cluster of Lifecycle Manager. Undefined if the user may not read it."),
      class: { hidden: true },
    },
    incomplete: {
      ...flagField("True while the last change may not be finished, or what it wrote is missing."),
      class: { hidden: true },
    },
  },
  optional: ["state", "versions", "controlPlaneUid", "incomplete"],
} as const satisfies ResourceSchema;

/** Package schema of KymaInstallation. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { countField, objectsField, textField } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Kyma 1, installed in a cluster by its own installer.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    version: textField("Version of Kyma, such as 1.24.8, or an on-demand version: main, main-<commit> or PR-<number>."),
    installerUrl: textField(
      "URL of the installer's manifests. Default: the URL where Kyma publishes them for the version.",
    ),
    tillerUrl: textField(
      "URL of Tiller's manifests. If there are none, Tiller is not installed. Default: the folder of the installer's manifests.",
    ),
    digest: textField("SHA-256 of the installer's manifests. Other content is an error. Default: any content."),
    profile: textField("Resource profile, `evaluation` or `production`. Default: the release's."),
    components: objectsField(
      "Components in the order of installation: component, namespace, sourceURL, configuration, conflictStrategy. Default: the release's.",
    ),
    configuration: objectsField("Overrides for all components: key, value."),
    secretOverrides: {
      ...objectsField("Secret overrides: key, value, and component for overrides of a single component."),
      secret: true,
    },
    conflictStrategy: textField("How a value that Kyma also sets is handled: `Merge` or `Replace`."),
    brokerUrlPrefix: textField(
      "Before Kyma is removed, ServiceInstances of brokers whose URL has this prefix are deleted. Default: https://service-manager.",
    ),
    timeoutSeconds: countField("Seconds until Kyma must be installed. Default: 3600."),
    errorPatienceSeconds: countField("Seconds after which an error that does not change is final. Default: 600."),
  },
  required: ["cluster", "version"],
  outputs: {
    installedDigest: textField("SHA-256 of the installed manifests of the installer."),
    state: textField("State that the installer reports."),
  },
  optional: ["installedDigest", "state"],
} as const satisfies ResourceSchema;

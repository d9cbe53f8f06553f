/** What the package schema says of a KymaInstallation. */

import { cluster, context, kubeconfig } from "../../framework/clusterFields";
import { ANY_OBJECT, count, text } from "../../framework/fields";
import type { ResourceSchema } from "../../framework/resourceSchema";

export const schema = {
  description: "Kyma 1, installed in a cluster by its own installer.",
  inputs: {
    kubeconfig,
    context,
    cluster,
    version: text("Version of Kyma, such as 1.24.8; main, main-<commit> or PR-<number> for one on demand."),
    installerUrl: text("URL of the installer's manifests. Default: where Kyma publishes those of the version."),
    tillerUrl: text(
      "URL of Tiller's manifests; where there are none, Tiller is not installed. Default: beside those of the installer.",
    ),
    digest: text("SHA-256 of the installer's manifests. Other content is an error. Optional; default: any."),
    profile: text("evaluation or production. Optional; default: the release's."),
    components: {
      type: "array",
      items: ANY_OBJECT,
      description:
        "Components in the order of their installation: component, namespace, sourceURL, configuration, conflictStrategy. Default: the release's.",
    },
    configuration: { type: "array", items: ANY_OBJECT, description: "Overrides for all components: key, value." },
    secretOverrides: {
      type: "array",
      items: ANY_OBJECT,
      description: "Overrides that are secret: key, value, and component for those of one component.",
      secret: true,
    },
    conflictStrategy: text("Merge or Replace: what becomes of a value that Kyma sets too."),
    brokerUrlPrefix: text(
      "Before Kyma is removed, instances of brokers whose URL begins so are deleted. Default: https://service-manager.",
    ),
    timeoutSeconds: count("Seconds until Kyma has to be installed. Default: 3600."),
    errorPatienceSeconds: count("Seconds after which an error that does not change is final. Default: 600."),
  },
  required: ["cluster", "version"],
  outputs: {
    installedDigest: text("SHA-256 of the installer's manifests that are installed."),
    state: text("State that the installer reports."),
  },
  optional: ["installedDigest", "state"],
} satisfies ResourceSchema;

/** Helm values of the chart `kuberay-operator`. Pure. */

import { mergeValues } from "../../../foundation/json/merge";
import { splitImage } from "../../../foundation/registry/image";
import type { OperatorSettings } from "./config/schema";

/** Namespace and name of the release. */
export const OPERATOR = "kuberay-operator";

/** Contains only configured values, because the chart has defaults. The user's values are merged last. */
export function operatorValues(settings: OperatorSettings): Record<string, unknown> {
  const { image, imagePullSecrets, nodeSelector, tolerations, resources, watchNamespaces } = settings;
  const [repository, tag] = image === undefined ? [] : splitImage(image);
  const size = resources && { cpu: String(resources.cpu), memory: `${resources.memoryMb}M` };
  return mergeValues(
    {
      ...(image !== undefined && { image: { repository, tag } }),
      ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
      ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
      ...(tolerations.length > 0 && { tolerations }),
      ...(size && { resources: { requests: size, limits: size } }),
      ...(watchNamespaces.length > 0 && { watchNamespace: watchNamespaces }),
    },
    settings.values,
  );
}

import type { Values } from "../../environment";
import type { RuntimeSettings } from "../context";
import { plain } from "./request";

/** Reads the settings of the runtime API from the environment. */
export const runtimeSettings = (values: Values, shoots: RuntimeSettings["shoots"]): RuntimeSettings => ({
  shoots,
  provisioner: values.APP_GARDENER_PROVISIONER,
  trustsTenantHeader: values.APP_TRUST_TENANT_HEADER,
  defaults: {
    cluster: plain({
      enableKubernetesVersionAutoUpdate: values.APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE,
      enableMachineImageVersionAutoUpdate: values.APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE,
    }) as Readonly<Record<string, unknown>>,
    ...(values.APP_GARDENER_DEFAULT_ENABLE_IMDSV2 && { awsConfig: { enableIMDSv2: true } }),
    ...(values.APP_GARDENER_FORCE_ALLOW_PRIVILEGED_CONTAINERS && { forced: { allowPrivilegedContainers: true } }),
  },
});

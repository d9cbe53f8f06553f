import type { RuntimeSettings } from "../api/context";
import { plain } from "../api/runtimes/request";
import type { Values } from "../environment";
import type { LimitsByKyma } from "./limits";

/** The time limits that the environment says. Pure. */
export function limitsOf(values: Values): LimitsByKyma {
  const kyma = {
    domain: values.APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS,
    creation: values.APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION,
    bindings: values.APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION,
    // One run of the engine installs Kyma, and configures and connects the agent.
    installation:
      values.APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING +
      values.APP_PROVISIONING_TIMEOUT_INSTALLATION +
      values.APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION +
      values.APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION,
    upgrade: values.APP_PROVISIONING_TIMEOUT_UPGRADE_TRIGGERING + values.APP_PROVISIONING_TIMEOUT_UPGRADE,
    shootRefresh: values.APP_PROVISIONING_TIMEOUT_SHOOT_REFRESH,
    shootUpgrade: values.APP_PROVISIONING_TIMEOUT_SHOOT_UPGRADE,
    hibernation: values.APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_HIBERNATION,
    cleanup: values.APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP,
    deletion: values.APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION,
    gone: values.APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION,
  };
  const {
    APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DOMAINS: domain = kyma.domain,
    APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_CREATION: creation = kyma.creation,
    APP_PROVISIONING_NO_INSTALL_TIMEOUT_BINDINGS_CREATION: bindings = kyma.bindings,
    APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DELETION: deletion = kyma.deletion,
    APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: gone = kyma.gone,
  } = values;
  return { kyma, bare: { ...kyma, domain, creation, bindings, deletion, gone } };
}

/** What the runtime API stands on. */
export const runtimeSettings = (values: Values, shoots: RuntimeSettings["shoots"]): RuntimeSettings => ({
  shoots,
  provisioner: values.APP_GARDENER_PROVISIONER,
  trustsTenantHeader: values.APP_TRUST_TENANT_HEADER,
  defaults: plain({
    enableKubernetesVersionAutoUpdate: values.APP_GARDENER_DEFAULT_ENABLE_KUBERNETES_VERSION_AUTO_UPDATE,
    enableMachineImageVersionAutoUpdate: values.APP_GARDENER_DEFAULT_ENABLE_MACHINE_IMAGE_VERSION_AUTO_UPDATE,
  }) as Readonly<Record<string, unknown>>,
});

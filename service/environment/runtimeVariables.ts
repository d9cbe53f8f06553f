import { goDuration, flag, text } from "./fields";
import { GARDENER_VARIABLES } from "./gardenerVariables";
import { given, optional, type Variable } from "./variable";

const limit = (fallback: string, what: string) => given(goDuration(), fallback, `Time for ${what}.`);

/** Time limits for clusters without Kyma, if they differ. */
const bare = (name: string) => optional(goDuration(), `The same without Kyma. Default: ${name}.`);

/** Variables of the runtime API, whose clusters come from Gardener. */
export const RUNTIME_VARIABLES = {
  APP_GARDENER_PROVISIONER: optional(
    text(),
    "Provisioner of runtimes that the runtime API creates. Default: the only one of type gardener of APP_PLATFORM.",
  ),
  APP_TRUST_TENANT_HEADER: given(
    flag(),
    "false",
    "Whether the runtime API needs no token: a proxy in front of the service has authenticated the caller and set the header tenant.",
  ),
  ...GARDENER_VARIABLES,
  APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS: limit("10m", "the domain of a new cluster"),
  APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION: limit("60m", "the creation of a cluster"),
  APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION: limit("5m", "the bindings of administrators"),
  APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING: limit("20m", "the start of Kyma's installation"),
  APP_PROVISIONING_TIMEOUT_INSTALLATION: limit("60m", "Kyma's installation"),
  APP_PROVISIONING_TIMEOUT_UPGRADE_TRIGGERING: limit("20m", "the start of Kyma's upgrade"),
  APP_PROVISIONING_TIMEOUT_UPGRADE: limit("60m", "Kyma's upgrade"),
  APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION: limit("15m", "the configuration of the Runtime Agent"),
  APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION: limit("15m", "the connection of the Runtime Agent"),
  APP_PROVISIONING_TIMEOUT_SHOOT_REFRESH: limit("5m", "Gardener to see a change of a cluster"),
  APP_PROVISIONING_TIMEOUT_SHOOT_UPGRADE: limit("30m", "a change of a cluster"),
  APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_HIBERNATION: limit("60m", "a cluster to hibernate or to wake up"),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP: limit("20m", "the clean-up of a cluster with Kyma"),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION: limit("30m", "the start of a deletion"),
  APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: limit("60m", "the deletion of a cluster"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DOMAINS: bare("APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_CREATION: bare("APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_BINDINGS_CREATION: bare("APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_AGENT_CONFIGURATION: bare("APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION"),
  APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DELETION: bare("APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION"),
  APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: bare(
    "APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION",
  ),
} as const satisfies Readonly<Record<string, Variable>>;

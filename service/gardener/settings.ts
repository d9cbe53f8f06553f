import type { DirectorSettings } from "../../components/runtime/types/gardener/kyma/settings";
import type { ServiceDefaults } from "../../components/runtime/types/gardener/serviceDefaults";
import type { Values } from "../environment";
import { GARDENER_VARIABLES } from "../environment/gardenerVariables";
import type { LimitsByKyma } from "../kinds/clusterLimits";

/** Reads the time limits from the environment. Pure. */
export function kymaLimits(values: Values): LimitsByKyma {
  const kyma = {
    domain: values.APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS,
    creation: values.APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION,
    bindings: values.APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION,
    // One run of the engine installs Kyma and configures and connects the agent.
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
    APP_PROVISIONING_NO_INSTALL_TIMEOUT_AGENT_CONFIGURATION:
      agent = values.APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION,
    APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DELETION: deletion = kyma.deletion,
    APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: gone = kyma.gone,
  } = values;
  // One run of the engine creates the bindings, and configures the agent if there is a Director.
  return { kyma, bare: { ...kyma, domain, creation, bindings: bindings + agent, deletion, gone } };
}

/** Builds the service's defaults for provisioners that don't set these values themselves. Pure. */
export function serviceDefaultsOf(values: Values, director: DirectorSettings | undefined): ServiceDefaults {
  const policyConfigMap = values.APP_GARDENER_AUDIT_LOGS_POLICY_CONFIG_MAP;
  const tenants = tenantsOf(values);
  const brokerUrlPrefix = values.APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR;
  const maintenanceWindows = values.APP_GARDENER_MAINTENANCE_WINDOW_CONFIG_PATH;
  const view = values.APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME;
  const admin = values.APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME;
  return {
    ...(director && { director }),
    auditLogs: { ...(policyConfigMap !== undefined && { policyConfigMap }), ...(tenants && { tenants }) },
    ...(maintenanceWindows && { maintenanceWindows }),
    ...((view !== undefined || admin !== undefined) && {
      operatorGroups: { ...(view !== undefined && { view }), ...(admin !== undefined && { admin }) },
    }),
    // Only set if it differs from the default, so that inputs with the default stay unchanged.
    ...(brokerUrlPrefix !== GARDENER_VARIABLES.APP_GARDENER_CLUSTER_CLEANUP_RESOURCE_SELECTOR.fallback && {
      brokerUrlPrefix,
    }),
  };
}

function tenantsOf(values: Values): Values["APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH"] {
  const { APP_GARDENER_AUDIT_LOGS_TENANT_CONFIG_PATH: tenants, APP_GARDENER_AUDIT_LOGS_TENANT: tenantID } = values;
  if (tenants === undefined || tenantID === undefined) return tenants;
  const each = Object.entries(tenants).map(([provider, regions]) => {
    const own = Object.entries(regions).map(([region, entry]) => [region, { ...entry, tenantID }] as const);
    return [provider, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(each);
}

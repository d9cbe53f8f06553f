import { isObject } from "../../../foundation/json/isObject";
import type { DeploymentRow } from "../../database/tables";
import { hideSecretValues } from "../../../engine/stack/secretValues";
import type { GardenerConfig, KymaConfig, ProviderSpecificConfig } from "../schema.types";
import type { Stored } from "../context";

/* Converts a stored runtime to the output types of the runtime API. Pure. */

type WithConfig = Pick<DeploymentRow, "desiredConfig">;

const deployment = ({ desiredConfig }: WithConfig): Stored =>
  isObject(desiredConfig.deployment) ? desiredConfig.deployment : {};

/** Returns the cluster of a deployment, created or planned; undefined for deployments without a cluster. */
export function clusterOf(row: WithConfig): Stored | undefined {
  const { cluster } = deployment(row);
  return isObject(cluster) ? cluster : undefined;
}

export function kymaIn(row: WithConfig): Stored | undefined {
  const { kyma } = deployment(row);
  return isObject(kyma) ? kyma : undefined;
}

/** What the Kyma Runtime Provisioner shows, and a Shoot has, where the request says nothing. */
const DEFAULTS = {
  enableKubernetesVersionAutoUpdate: false,
  enableMachineImageVersionAutoUpdate: false,
  shootNetworkingFilterDisabled: true,
  euAccess: false,
};

/** `outputs` contain the values that Gardener chose. */
export function clusterConfigOf(row: Pick<DeploymentRow, "desiredConfig" | "outputs">): GardenerConfig | null {
  const cluster = clusterOf(row);
  if (cluster === undefined) return null;
  const { providerSpecificConfig: provider, dnsConfig, seed = row.outputs["seed"], ...fields } = cluster;
  return {
    ...DEFAULTS,
    ...fields,
    seed: typeof seed === "string" ? seed : null,
    providerSpecificConfig: isObject(provider) ? providerOf(provider, cluster["workerCidr"]) : null,
    dnsConfig: isObject(dnsConfig) ? dnsOf(dnsConfig) : null,
  } as GardenerConfig;
}

/** Gardener's defaults for OpenStack. */
const OPENSTACK = { floatingPoolName: "FloatingIP-external-kyma-01", cloudProfileName: "converged-cloud-kyma" };

/** Returns the first provider block in the order of the Kyma Runtime Provisioner, with its type name. */
function providerOf(blocks: Stored, workerCidr: unknown): ProviderSpecificConfig | null {
  const { gcpConfig, azureConfig, awsConfig, openStackConfig } = blocks;
  const typed = (__typename: string, config: Stored) =>
    ({ __typename, ...config }) as unknown as ProviderSpecificConfig;
  if (isObject(gcpConfig)) return typed("GCPProviderConfig", gcpConfig);
  if (isObject(azureConfig)) return typed("AzureProviderConfig", azureConfig);
  if (isObject(awsConfig)) return typed("AWSProviderConfig", awsOf(awsConfig, workerCidr));
  if (isObject(openStackConfig)) return typed("OpenStackProviderConfig", { ...OPENSTACK, ...openStackConfig });
  return null;
}

/** Early clients read a single zone, later ones a list. */
function awsOf(config: Stored, workerCidr: unknown): Stored {
  const { zone: name, publicCidr, internalCidr } = config;
  const only = { name, publicCidr, internalCidr, workerCidr };
  const awsZones = Array.isArray(config["awsZones"]) ? (config["awsZones"] as readonly Stored[]) : [only];
  const [first = only] = awsZones;
  return {
    zone: first.name,
    publicCidr: first["publicCidr"],
    internalCidr: first["internalCidr"],
    ...config,
    awsZones,
  };
}

function dnsOf(config: Stored): Stored {
  const providers = Array.isArray(config["providers"]) ? (config["providers"] as readonly Stored[]) : [];
  return { ...config, providers: providers.map((one) => ({ domainsInclude: [config["domain"]], ...one })) };
}

/** Returns the Kyma configuration without the values of secret entries. */
export function kymaConfigOf({ desiredConfig }: WithConfig): KymaConfig | null {
  const kyma = kymaIn({ desiredConfig: hideSecretValues(desiredConfig) });
  if (kyma === undefined) return null;
  const { components, configuration } = kyma;
  return {
    ...kyma,
    configuration: Array.isArray(configuration) ? configuration : null,
    components: Array.isArray(components)
      ? (components as readonly Stored[]).map((one) => ({ ...one, configuration: one["configuration"] ?? null }))
      : null,
  } as KymaConfig;
}

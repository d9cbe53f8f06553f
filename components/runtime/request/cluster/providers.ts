import * as z from "zod";
import { flag, oneOf, strict, listOf } from "../../../../foundation/schema/fields";
import { named, range, upTo, zoneNames } from "./fields";

/**
 * Schemas of the cloud-specific settings of a cluster: one block per cloud, named as in the API of the original Runtime
 * Provisioner.
 */

const gcpConfig = strict("an object with zones", {
  zones: zoneNames().describe("Zones of the nodes, such as `europe-west3-a`."),
});

const AZURE_ZONE = "the number of a zone: 1, 2 or 3";

const azureConfig = strict("an object with vnetCidr, zones, azureZones", {
  vnetCidr: range().describe("CIDR range of the virtual network. It contains the ranges of the nodes."),
  zones: listOf(oneOf(["1", "2", "3"]), 'zones, such as ["1", "2"]')
    .optional()
    .describe("Zones of the nodes, all in one subnet. Not together with azureZones."),
  azureZones: listOf(
    strict("an object with name and cidr", {
      name: z.int({ error: AZURE_ZONE }).min(1, { error: AZURE_ZONE }).max(3, { error: AZURE_ZONE }).describe("Zone."),
      cidr: range().describe("CIDR range of its subnet."),
    }),
    "zones",
  )
    .optional()
    .describe("Zones of the nodes, each with its own subnet."),
  enableNatGateway: flag()
    .optional()
    .describe("`true`: nodes reach the internet through a NAT gateway. Default: false."),
  idleConnectionTimeoutMinutes: upTo(120)
    .optional()
    .describe("Minutes after which the NAT gateway drops an idle connection, 4 to 120. Default: 4."),
});

const awsConfig = strict("an object with vpcCidr and awsZones", {
  vpcCidr: range().describe("CIDR range of the VPC. It contains the ranges of the zones."),
  awsZones: listOf(
    strict("an object with name, publicCidr, internalCidr, workerCidr", {
      name: named("the name of a zone").describe("Zone, such as `eu-central-1a`."),
      publicCidr: range().describe("CIDR range of its public load balancers and its NAT gateway."),
      internalCidr: range().describe("CIDR range of its internal load balancers."),
      workerCidr: range().describe("CIDR range of its nodes."),
    }),
    "zones",
  )
    .min(1, { error: "at least one zone" })
    .optional()
    .describe("Zones of the nodes, each with three subnets."),
  zone: named("the name of a zone").optional().describe("The only zone, instead of awsZones. For older clients."),
  publicCidr: range().optional().describe("CIDR range of its public load balancers, with `zone`."),
  internalCidr: range().optional().describe("CIDR range of its internal load balancers, with `zone`."),
  enableIMDSv2: flag()
    .optional()
    .describe(
      "`true`: the metadata service of nodes requires a session token (IMDSv2). Default: the provisioner's setting.",
    ),
});

const openStackConfig = strict("an object with zones and loadBalancerProvider", {
  zones: zoneNames().describe("Zones of the nodes."),
  floatingPoolName: named("the name of a pool")
    .optional()
    .describe("Pool of floating IP addresses. Default: `FloatingIP-external-kyma-01`."),
  cloudProfileName: named("the name of a CloudProfile")
    .optional()
    .describe("CloudProfile. Default: the provisioner's for openstack."),
  loadBalancerProvider: named("the name of a provider").describe(
    "Provider of load balancers, such as `f5` or `octavia`.",
  ),
});

export const providerSpecificConfig = strict(
  "an object with one of gcpConfig, azureConfig, awsConfig, openStackConfig",
  {
    gcpConfig: gcpConfig.optional().describe("Settings for GCP."),
    azureConfig: azureConfig.optional().describe("Settings for Azure."),
    awsConfig: awsConfig.optional().describe("Settings for AWS."),
    openStackConfig: openStackConfig.optional().describe("Settings for OpenStack."),
  },
);

type ProviderSpecificConfig = z.output<typeof providerSpecificConfig>;
export type AzureConfig = z.output<typeof azureConfig>;
export type AwsConfig = z.output<typeof awsConfig>;

/** The clouds, the keys of their blocks, and the names of their CloudProfiles in most landscapes. */
export const PROVIDERS = {
  gcp: { title: "GCP", block: "gcpConfig", profile: "gcp" },
  azure: { title: "Azure", block: "azureConfig", profile: "az" },
  aws: { title: "AWS", block: "awsConfig", profile: "aws" },
  openstack: { title: "OpenStack", block: "openStackConfig", profile: "converged-cloud-kyma" },
} as const satisfies Record<string, { title: string; block: keyof ProviderSpecificConfig; profile: string }>;

export type Provider = keyof typeof PROVIDERS;

export const providerNames = Object.keys(PROVIDERS) as Provider[];

interface OfProvider {
  readonly provider?: string | undefined;
  readonly providerSpecificConfig?: ProviderSpecificConfig | undefined;
}

/** The named cloud, or else the one that has a block. */
export function providerOf({ provider, providerSpecificConfig = {} }: OfProvider): Provider | undefined {
  const named = provider?.toLowerCase();
  return providerNames.find((name) =>
    named === undefined ? providerSpecificConfig[PROVIDERS[name].block] !== undefined : name === named,
  );
}

import type * as z from "zod";
import { flag, listOf, matching, oneOf, strict, stringMap } from "../../../../foundation/schema/fields";
import { callers, labelValue, named, objectName, range } from "./fields";
import { providerNames, providerSpecificConfig } from "./providers";
import { nodeShape, workerPool } from "./workers";

/** Schemas of a cluster's access and DNS settings. */

const text = (what: string) => matching(/\S/, what);

const oidcConfig = strict(
  "an object with clientID, groupsClaim, groupsPrefix, issuerURL, requiredClaims, signingAlgs, usernameClaim, usernamePrefix",
  {
    clientID: text("the id of a client").describe("Client id that tokens must have as audience."),
    groupsClaim: text("the name of a claim").describe("Claim with the user's groups."),
    groupsPrefix: text("a prefix").optional().describe("Prefix of group names in the cluster. Default: none."),
    issuerURL: matching(/^https:\/\/[^\s?#]+$/, "an https URL without query and fragment").describe(
      "URL of the issuer of tokens.",
    ),
    requiredClaims: stringMap("texts")
      .optional()
      .describe("Claims that tokens must have, with their values. Default: none."),
    signingAlgs: listOf(matching(/^(?:[REP]S)(?:256|384|512)$/, "an algorithm such as RS256"), "algorithms")
      .min(1, { error: "at least one algorithm" })
      .describe("Signing algorithms of tokens."),
    usernameClaim: text("the name of a claim").describe("Claim with the user's name."),
    usernamePrefix: text("a prefix, or - for none").describe("Prefix of user names in the cluster. `-`: no prefix."),
  },
);

const domain = () =>
  matching(
    /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)+[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
    "a domain such as acme.example.com",
  );

const dnsConfig = strict("an object with domain and providers", {
  domain: domain().describe("Domain of the cluster. The API server has the host `api.<domain>`."),
  providers: listOf(
    strict("an object with domainsInclude, primary, secretName, type", {
      domainsInclude: listOf(domain(), "domains")
        .optional()
        .describe("Domains that the provider serves. Default: the cluster's domain."),
      primary: flag().describe("`true`: the provider serves the cluster's own domain."),
      secretName: objectName("the name of a Secret").describe(
        "Secret in the Gardener project with the provider's credentials.",
      ),
      type: text("a type such as aws-route53").describe("Type of the provider, such as `aws-route53`."),
    }),
    "providers",
  )
    .optional()
    .describe("DNS providers. Default: Gardener's."),
});

const administrators = listOf(text("the name of a user"), "users");

/**
 * The cluster that a provisioner of type gardener creates for a deployment. Fields are named as in the API of the
 * original Runtime Provisioner; additional ones follow at the end. All are optional, because a provisioner may have
 * defaults; complete.ts finds those that are still missing.
 */

const CLUSTER_NAME = "a legal name: a-z, 0-9 and inner single -, beginning with a letter, 20 characters at most";
const PROVIDER = providerNames.join(" or ");
const CRON = /^\S+ \S+ \S+ \S+ \S+$/;
const WINDOW = /^([01]\d|2[0-3])[0-5]\d[0-5]\d[+-]\d{4}$/;

const hibernationSchedule = strict("an object with start, end, location", {
  start: matching(CRON, "a cron expression of five fields")
    .optional()
    .describe("When the cluster hibernates, as a cron expression."),
  end: matching(CRON, "a cron expression of five fields")
    .optional()
    .describe("When the cluster wakes up, as a cron expression."),
  location: matching(/^[A-Za-z][\w+/-]*$/, "a time zone such as Europe/Berlin")
    .optional()
    .describe("Time zone of `start` and `end`. Default: UTC."),
});

export const maintenanceWindow = () =>
  strict("an object with begin and end", {
    begin: matching(WINDOW, "a time such as 220000+0100").describe("Begin of the window, such as `220000+0100`."),
    end: matching(WINDOW, "a time such as 230000+0100").describe(
      "End of the window, 30 minutes to 6 hours after its begin.",
    ),
  });

export const clusterShape = {
  name: matching(/^(?!.*--)[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/, CLUSTER_NAME)
    .optional()
    .describe(
      "Name of the Shoot. Together with the project's name it has at most 21 characters. Default: derived from the deployment's id.",
    ),
  kubernetesVersion: matching(/^\d+\.\d+(\.\d+)?$/, 'a version in quotes, such as "1.33.4"')
    .optional()
    .describe("Kubernetes version. If the cluster already has a newer version, it keeps that."),
  provider: matching(new RegExp(`^(${providerNames.join("|")})$`, "i"), PROVIDER)
    .optional()
    .describe("Cloud provider: gcp, azure, aws or openstack. Default: the provider of `providerSpecificConfig`."),
  targetSecret: objectName("the name of a CredentialsBinding or SecretBinding")
    .optional()
    .describe(
      "Binding with the cloud account: a CredentialsBinding if the provisioner has one for that provider, or from Kubernetes 1.34 on; else a SecretBinding. Default: the provisioner's.",
    ),
  region: named("the name of a region").optional().describe("Region of the cloud provider."),
  ...nodeShape,
  workerCidr: range().optional().describe("CIDR range of the nodes."),
  podsCidr: range().optional().describe("CIDR range of pods. Default: Gardener's."),
  servicesCidr: range().optional().describe("CIDR range of services. Default: Gardener's."),
  purpose: oneOf(["evaluation", "testing", "development", "production"])
    .optional()
    .describe("Purpose of the cluster. Maintenance windows and Gardener's level of support depend on it."),
  licenceType: matching(/^\S{1,63}$/, "a word")
    .optional()
    .describe("Type of license; becomes an annotation of the Shoot."),
  enableKubernetesVersionAutoUpdate: flag()
    .optional()
    .describe("`true`: Gardener updates the Kubernetes patch version automatically."),
  enableMachineImageVersionAutoUpdate: flag()
    .optional()
    .describe("`true`: Gardener updates the image of the nodes automatically."),
  allowPrivilegedContainers: flag()
    .optional()
    .describe("`true`: pods may be privileged. Only for Kubernetes versions before 1.25."),
  providerSpecificConfig: providerSpecificConfig.optional().describe("Settings of the cloud provider."),
  dnsConfig: dnsConfig.optional().describe("Domain and DNS providers. Default: Gardener's."),
  seed: objectName("the name of a Seed").optional().describe("Seed of its control plane. Default: Gardener chooses."),
  oidcConfig: oidcConfig.optional().describe("OIDC provider of its API server. Default: none."),
  additionalOidcConfig: listOf(oidcConfig, "OIDC providers")
    .max(63, { error: "at most 63 OIDC providers" })
    .optional()
    .describe("OIDC providers of its API server beside `oidcConfig`, from Kubernetes 1.32 on. Default: none."),
  exposureClassName: objectName("the name of an ExposureClass")
    .optional()
    .describe("Exposure class of its API server."),
  shootNetworkingFilterDisabled: flag()
    .optional()
    .describe("`true`: disable the filter of outgoing traffic. Default: true."),
  shootNetworkingFilterBlackholing: flag()
    .optional()
    .describe(
      "`true`: the filter drops traffic in both directions, by routes instead of a firewall. Not with shootNetworkingFilterDisabled. Default: false.",
    ),
  controlPlaneFailureTolerance: oneOf(["node", "zone"])
    .optional()
    .describe(
      "Failures that a highly available control plane tolerates: of a node or a zone. It can't be removed later. Default: none.",
    ),
  euAccess: flag().optional().describe("`true`: only operators in the EU may access its nodes. Default: false."),
  shootAndSeedSameRegion: flag()
    .optional()
    .describe("`true`: the Seed must be in the cluster's region. Default: false."),
  workerPools: listOf(workerPool, "worker pools")
    .optional()
    .describe("Additional worker pools. The other fields describe the first one."),
  hibernationSchedules: listOf(hibernationSchedule, "schedules")
    .optional()
    .describe("Schedules on which the cluster hibernates and wakes up."),
  maintenanceWindow: maintenanceWindow()
    .optional()
    .describe("When Gardener may change the cluster. Default: the provisioner's maintenance window for the region."),
  dualStack: flag()
    .optional()
    .describe("`true`: IPv4 and IPv6, on AWS and GCP. It can't be changed later. Default: false."),
  allowedCidrs: listOf(callers(), "ranges")
    .optional()
    .describe(
      "Ranges from which the API server may be called, besides `allowedCidrs` of the provisioner, by Gardener's extension `acl`. Not on GCP. Default: all.",
    ),
  administrators: administrators
    .optional()
    .describe("Users with the role cluster-admin in the cluster. Default: none."),
  tenant: labelValue().optional().describe("Value of the Shoot's label `account`."),
  subAccount: labelValue().optional().describe("Value of the Shoot's label `subaccount`."),
};

export type ClusterRequest = { readonly [Key in keyof typeof clusterShape]?: z.output<(typeof clusterShape)[Key]> };

import * as z from "zod";
import { flag, matching, oneOf, strict } from "../../../../foundation/schema/fields";
import { administrators, dnsConfig, oidcConfig } from "./access";
import { named, objectName, range } from "./fields";
import { providerNames, providerSpecificConfig } from "./providers";
import { nodeShape, workerPool } from "./workers";

/**
 * The cluster that a provisioner of type gardener creates for a deployment. Its fields have the names of the original
 * Runtime Provisioner's API; what that had not comes after them. All are optional here, because a provisioner may have
 * defaults; complete.ts says what is missing after those.
 */

const CLUSTER_NAME = "a legal name: a-z, 0-9 and inner single -, beginning with a letter, 20 characters at most";
const PROVIDER = providerNames.join(" or ");
const CRON = /^\S+ \S+ \S+ \S+ \S+$/;
const WINDOW = /^([01]\d|2[0-3])[0-5]\d[0-5]\d[+-]\d{4}$/;

const hibernationSchedule = strict("an object with start, end, location", {
  start: matching(CRON, "a cron expression of five fields").optional().describe("When it goes to sleep, as cron."),
  end: matching(CRON, "a cron expression of five fields").optional().describe("When it wakes, as cron."),
  location: matching(/^[A-Za-z][\w+/-]*$/, "a time zone such as Europe/Berlin")
    .optional()
    .describe("Time zone. Default: UTC."),
});

export const maintenanceWindow = () =>
  strict("an object with begin and end", {
    begin: matching(WINDOW, "a time such as 220000+0100").describe("Its begin, such as `220000+0100`."),
    end: matching(WINDOW, "a time such as 230000+0100").describe("Its end, 30 minutes to 6 hours later."),
  });

export const clusterShape = {
  name: matching(/^(?!.*--)[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/, CLUSTER_NAME)
    .optional()
    .describe("Name of the Shoot; with the project's at most 21 characters. Default: made of the deployment's id."),
  kubernetesVersion: matching(/^\d+\.\d+(\.\d+)?$/, 'a version in quotes, such as "1.33.4"')
    .optional()
    .describe("Kubernetes version. A newer one that the cluster has already is kept."),
  provider: matching(new RegExp(`^(${providerNames.join("|")})$`, "i"), PROVIDER)
    .optional()
    .describe("Cloud: gcp, azure, aws or openstack. Default: the one that providerSpecificConfig is for."),
  targetSecret: objectName("the name of a SecretBinding")
    .optional()
    .describe("SecretBinding with the account of the cloud. Default: the provisioner's for that cloud."),
  region: named("the name of a region").optional().describe("Region."),
  ...nodeShape,
  workerCidr: range().optional().describe("Range of the nodes."),
  podsCidr: range().optional().describe("Range of pods. Default: Gardener's."),
  servicesCidr: range().optional().describe("Range of services. Default: Gardener's."),
  purpose: oneOf(["evaluation", "testing", "development", "production"])
    .optional()
    .describe("What it is for: maintenance windows and Gardener's care depend on it."),
  licenceType: matching(/^\S{1,63}$/, "a word")
    .optional()
    .describe("Type of licence, an annotation of the Shoot."),
  enableKubernetesVersionAutoUpdate: flag().optional().describe("Whether Gardener raises the patch version by itself."),
  enableMachineImageVersionAutoUpdate: flag()
    .optional()
    .describe("Whether Gardener renews the nodes' image by itself."),
  allowPrivilegedContainers: flag().optional().describe("Whether pods may be privileged; only before Kubernetes 1.25."),
  providerSpecificConfig: providerSpecificConfig.optional().describe("What it needs to know of its cloud."),
  dnsConfig: dnsConfig.optional().describe("Domain and DNS providers. Default: Gardener's."),
  seed: objectName("the name of a Seed").optional().describe("Seed of its control plane. Default: Gardener chooses."),
  oidcConfig: oidcConfig.optional().describe("OIDC provider of its API server. Default: none."),
  exposureClassName: objectName("the name of an ExposureClass")
    .optional()
    .describe("Exposure class of its API server."),
  shootNetworkingFilterDisabled: flag()
    .optional()
    .describe("Whether the filter of outgoing traffic is disabled. Default: true."),
  controlPlaneFailureTolerance: oneOf(["node", "zone"])
    .optional()
    .describe("What its control plane survives: a highly available one. Can't be taken back. Default: none."),
  euAccess: flag().optional().describe("Whether only persons in the EU may enter its nodes. Default: false."),
  shootAndSeedSameRegion: flag()
    .optional()
    .describe("Whether the Seed must be in the cluster's region. Default: false."),
  workerPools: z
    .array(workerPool, { error: "a list of worker pools" })
    .optional()
    .describe("More worker pools, besides the first one that the fields above describe."),
  hibernationSchedules: z
    .array(hibernationSchedule, { error: "a list of schedules" })
    .optional()
    .describe("When it hibernates and wakes by itself."),
  maintenanceWindow: maintenanceWindow()
    .optional()
    .describe("When Gardener may change it. Default: the provisioner's."),
  administrators: administrators.optional().describe("Users who are cluster-admin in it. Default: none."),
  tenant: matching(/^\S{1,63}$/, "a word of 63 characters at most")
    .optional()
    .describe("Label `account` of the Shoot."),
  subAccount: matching(/^\S{1,63}$/, "a word of 63 characters at most")
    .optional()
    .describe("Label `subaccount` of the Shoot."),
};

export type ClusterRequest = { readonly [Key in keyof typeof clusterShape]?: z.output<(typeof clusterShape)[Key]> };

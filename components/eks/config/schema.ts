import * as z from "zod";
import { ADDON_NAMES } from "../addons";
import { checkedText, count, flag, list, matching, oneOf, positive, strict } from "../../../foundation/schema/fields";
import { helmValues, readySeconds } from "../../charts/config/helm";
import { bucketAccess } from "../../cluster/onEks/buckets";
import { EKS_LOCK_FILE, EKS_VERSION } from "../../cluster/onEks/eksLock";
import { access } from "./accessSchema";
import { clusterMinor, kmsKey, minor, region } from "../../cluster/onEks/fields";
import { endpoint, network } from "./networkSchema";
import { nodePool } from "./nodePoolSchema";

/** Schema of a cluster of type `eks`. */

const tags = () =>
  z
    .record(
      matching(/^[\p{L}\p{Z}\p{N}_.:/=+@-]{1,128}$/u, "a tag key"),
      matching(/^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u, "a tag value of letters, digits, spaces and _ . : / = + - @"),
      {
        error: "an object of tags",
      },
    )
    .default({})
    .describe("Tags of all AWS resources.");

/** Types of logs of a control plane in the EKS API. */
/** Days after which CloudWatch can delete logs. */
export const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653];

/** Kinds of logs that a control plane writes. */
export const CONTROL_PLANE_LOGS = ["api", "audit", "authenticator", "controllerManager", "scheduler"] as const;

const clusterName = () =>
  matching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, "a name of A-Z a-z 0-9 _ -, 100 characters at most").describe(
    "Name of the cluster.",
  );

const identity = () =>
  oneOf(["irsa", "podIdentity"])
    .default("irsa")
    .describe(
      "How pods assume IAM roles: `irsa` (IAM roles for service accounts) or `podIdentity` (EKS Pod Identity).",
    );

const roles = () =>
  strict("an object with prefix, permissionsBoundary", {
    prefix: matching(/^[A-Za-z0-9][\w+=,.@-]{0,39}$/, "the beginning of the name of a role, 40 characters at most")
      .optional()
      .describe(
        "Prefix of the role names. Roles are global in an account: clusters of the same name in different regions need different prefixes. Default: the cluster's name.",
      ),
    permissionsBoundary: matching(/^arn:aws[a-z-]*:iam::(\d{12}|aws):policy\/\S+$/, "the ARN of a policy")
      .optional()
      .describe("ARN of a policy that is the permissions boundary of the roles."),
  })
    .prefault({})
    .describe("Settings of all IAM roles that the platform creates.");

/** What can only be listed can't be mounted. */
const mountedBucket = bucketAccess.extend({
  access: oneOf(["read", "readWrite"]).default("read").describe("Permitted access to the data."),
});

/** Additional add-ons that the platform does not install by default. */
const moreAddons = z
  .record(
    checkedText(
      "the name of an add-on of EKS; the platform's own are set in addonVersions and addonValues",
      (text) => (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(text) && !ADDON_NAMES.includes(text) ? undefined : ""),
      /^[a-z0-9][a-z0-9_-]{0,99}$/,
    ),
    strict("an object with version, values, roleArn, serviceAccount, fileSystemId, workspaceId, buckets", {
      version: matching(EKS_VERSION, "a version such as v1.21.1-eksbuild.1")
        .optional()
        .describe("Version of the add-on."),
      values: z
        .record(z.string(), z.unknown(), { error: "an object" })
        .optional()
        .describe("Configuration of the add-on."),
      roleArn: matching(/^arn:aws[a-z-]*:iam::\d{12}:role\/\S+$/, "the ARN of a role")
        .optional()
        .describe(
          "Existing IAM role of its pods. Default: the platform creates the role of the drivers for EFS, FSx and S3 and of the agents for CloudWatch and Prometheus.",
        ),
      serviceAccount: matching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "the name of a service account")
        .optional()
        .describe("Service account that assumes the role through Pod Identity. Default: IRSA."),
      fileSystemId: matching(/^fs-[0-9a-f]{8,40}$/, "the id of a file system such as fs-0123456789abcdef0")
        .optional()
        .describe("EFS file system of the storage class `efs`, for `aws-efs-csi-driver`. Default: no storage class."),
      workspaceId: matching(/^ws-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "the id of a workspace, ws- and a UUID")
        .optional()
        .describe(
          "Workspace of Amazon Managed Service for Prometheus that gets the metrics of the cluster, for `adot`. Default: no collector.",
        ),
      buckets: list(mountedBucket, "buckets").describe(
        "S3 buckets that the driver may mount, for `aws-mountpoint-s3-csi-driver`.",
      ),
    }),
    { error: "an object of add-ons by name" },
  )
  .default({})
  .describe(
    "Additional EKS add-ons by name, such as `amazon-cloudwatch-observability`. They are installed after the nodes.",
  );

/** Schema of the key `karpenter`. */
export const karpenterSchema = strict("an object with replicas, cpu, memoryMb, timeoutSeconds, values", {
  replicas: count("a whole number from 1 to 5", 5)
    .default(2)
    .describe("Number of pods; one of them is the leader. Each needs its own node."),
  cpu: positive("a number of CPUs above 0", 64).default(0.5).describe("CPU request of each pod, in CPUs."),
  memoryMb: count("a whole number of MB from 64", 65_536).default(1024).describe("Memory request and limit, in MB."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
});

/** Schema of an existing EKS cluster. */
export const existingEks = strict("an object with name and region", {
  name: clusterName(),
  region: region().describe("Region of the cluster."),
  version: minor().optional().describe("Kubernetes minor version of the cluster. Required by `clusterAutoscaler`."),
  identity: identity(),
  roles: roles(),
  oidcProviderArn: matching(/^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/\S+$/, "the ARN of an OIDC provider in IAM")
    .optional()
    .describe("ARN of the cluster's OIDC provider in IAM, for `irsa`. Default: the provider of the cluster's issuer."),
  tags: tags(),
});

export const eksCluster = strict("an object", {
  type: z
    .literal(["eks", "pulumiEks"])
    .describe("An AWS EKS cluster that this stack creates, with `pulumiEks` by `eks.Cluster` of `@pulumi/eks`."),
  name: clusterName(),
  region: region().describe("AWS region."),
  version: clusterMinor().describe(
    "Kubernetes minor version. EKS upgrades one minor version at a time, and rolls back one within 7 days.",
  ),
  upgrade: oneOf(["controlPlaneFirst", "together"])
    .default("controlPlaneFirst")
    .describe(
      "When node groups get a new `version`. `controlPlaneFirst`: in the update after the one of the control plane, which can be rolled back until then; `together`: in the same update.",
    ),
  forceUpdate: flag().default(false).describe("`true`: EKS changes the version although its insights have errors."),
  supportType: oneOf(["standard", "extended"])
    .default("standard")
    .describe(
      "Support policy of the minor version. `standard`: EKS upgrades the cluster when standard support ends. `extended`: support continues at a higher price.",
    ),
  network,
  endpoint,
  access,
  kmsKey: kmsKey
    .optional()
    .describe("KMS key that encrypts Kubernetes secrets. It can't be removed later. Default: a new key."),
  volumeKey: kmsKey
    .optional()
    .describe(
      "KMS key of the volumes of pods, which the platform grants to the EBS driver; their storage class becomes the default one. Default: the account's default key for EBS.",
    ),
  logs: z
    .array(oneOf(CONTROL_PLANE_LOGS), { error: "a list of logs" })
    .default([...CONTROL_PLANE_LOGS])
    .describe("Logs of the control plane that CloudWatch keeps, which cost by volume. Default: all."),
  zonalShift: flag()
    .optional()
    .describe(
      "`true`: Application Recovery Controller may shift traffic away from an impaired zone. `false`: not any more. Default: unchanged, at first no.",
    ),
  controlPlaneTier: oneOf(["standard", "tier-xl", "tier-2xl", "tier-4xl", "tier-8xl"])
    .optional()
    .describe(
      "Capacity of the control plane. Tiers are provisioned, each with its price by the hour. Default: unchanged, at first `standard`.",
    ),
  logRetentionDays: z
    .union(
      LOG_RETENTION_DAYS.map((days) => z.literal(days)),
      {
        error: "a number of days that CloudWatch knows, such as 30, 90, 365",
      },
    )
    .default(90)
    .describe("Number of days to keep control plane logs."),
  deletionProtection: flag()
    .default(true)
    .describe("`false`: the cluster and its key can be deleted. Use it for short-lived stacks."),
  identity: identity(),
  roles: roles(),
  cniRights: oneOf(["nodes", "podIdentity"])
    .default("nodes")
    .describe(
      "IAM role of the VPC CNI add-on. `nodes`: the node role, which pods may be able to use too. `podIdentity`: a separate role, recommended for new clusters.",
    ),
  addons: moreAddons,
  addonVersions: z
    .partialRecord(
      oneOf(ADDON_NAMES as [string, ...string[]]),
      matching(EKS_VERSION, "a version such as v1.21.1-eksbuild.1"),
      { error: "an object of versions by add-on" },
    )
    .default({})
    .describe(
      "Versions of managed add-ons. Default: the version in the lock file, else the running version, else the default for the Kubernetes version.",
    ),
  ami: oneOf(["latest", "pinned"])
    .optional()
    .describe(
      "Release of the node image in pools without `ami`. Default: the newest when a pool is created or its minor version changes.",
    ),
  lock: oneOf(["warn", "required"])
    .default("warn")
    .describe(
      "`warn`: an add-on without a recorded version is a warning. `required`: it is an error; use this in production.",
    ),
  lockFile: matching(/^[^\n{}]*[^\s{}]$/, "the path of a lock file")
    .default(EKS_LOCK_FILE)
    .describe("File with the recorded versions. `stackyard eks lock` writes it."),
  arguments: z
    .record(z.string(), z.unknown(), { error: "an object of arguments" })
    .optional()
    .describe(
      "Arguments of `eks.Cluster` for type `pulumiEks` that no other key sets, such as `fargate`, `ipFamily` and `nodeGroupOptions`.",
    ),
  importFile: matching(/^[^\n{}]*[^\s{}]$/, "the path of a file that stackyard eks import wrote")
    .optional()
    .describe(
      "File with the resources of an existing cluster, which become the stack's. `stackyard eks import` writes it.",
    ),
  addonValues: z
    .partialRecord(
      oneOf(ADDON_NAMES as [string, ...string[]]),
      z.record(z.string(), z.unknown(), { error: "an object" }),
      { error: "an object of values by add-on" },
    )
    .default({})
    .describe("Configuration of managed add-ons, merged over the platform's own."),
  tags: tags(),
  nodes: oneOf(["managed", "karpenter", "auto"])
    .default("managed")
    .describe(
      "What adds and removes nodes of `nodePools`. `managed`: node groups with the cluster-autoscaler; `karpenter`: Karpenter; `auto`: EKS Auto Mode, only for new clusters.",
    ),
  karpenter: karpenterSchema.optional().describe("Settings of Karpenter, for `nodes: karpenter`."),
  nodePools: z
    .record(matching(/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/, "a name of a-z 0-9 -, 20 characters at most"), nodePool, {
      error: "an object of node pools by name",
    })
    .describe("Node pools by name."),
});

export type EksInput = z.output<typeof eksCluster>;

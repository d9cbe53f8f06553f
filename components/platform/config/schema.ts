import * as z from "zod";
import { autoscalerSchema } from "../../cluster/autoscaler/config/schema";
import { bundleClassesSchema, bundlesSchema, instancesSchema } from "../../bundle/config/schema";
import { chartsSchema } from "../../charts/config/charts";
import { clickhouseSchema } from "../../clickhouse/config/schema";
import {
  checkImage,
  checked,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  positive,
  PROVISIONER_NAME,
  REMOVABLE,
  strict,
} from "../../../foundation/schema/fields";
import { imagesSchema } from "../../charts/config/images";
import { jupyterhubSchema } from "../../jupyterhub/config/schema";
import { dataAccessSchema } from "../../cluster/dataAccess/config";
import { eksCluster, existingEks } from "../../cluster/eks/config/schema";
import { gpuPluginSchema } from "../../cluster/gpu/config";
import { metricsSchema } from "../../cluster/metrics/config";
import { ingressSchema } from "../../ingress/config/schema";
import { raySchema } from "../../ray/config/schema";
import { rayOperatorSchema } from "../../ray/operator/config/schema";
import { serviceSchema } from "../../service/config/schema";
import { terasliceClustersSchema, terasliceSchema } from "../../teraslice/config/schema";
import { gardenerProvisioner } from "../../provisioners/config/gardenerSchema";
import { context, file, kubeconfig } from "../../provisioners/config/kubeconfigSchema";
import { namespaceFields } from "../../namespaces/config/schema";
import { checkAudience, checkHost, checkWildcardHost, isPostgresUrl } from "../../../foundation/schema/urls";

/**
 * Schema of a platform stack's config. The decoder, `stackyard.schema.json` and `docs/config.md` are derived from it,
 * so every field describes its meaning, unit and default.
 */

const absolute = () => matching(/^\/\S*$/, "an absolute path such as /mnt/data");
const audience = () => checked("an http or https URL without user, query and fragment", checkAudience, /^https?:\/\//);

const existingCluster = strict("an object", {
  type: z.literal("existing").describe("An existing cluster."),
  kubeconfig: kubeconfig.describe("Kubeconfig of the cluster. Certificate files that it names are embedded."),
  context,
  eks: existingEks
    .optional()
    .describe(
      "Set this if the cluster is on EKS: the platform then creates IAM roles for `dataAccess`, `clusterAutoscaler` and `ingress`.",
    ),
});

export const clusterSchema = z
  .discriminatedUnion("type", [existingCluster, eksCluster], { error: "existing or eks" })
  .describe("The platform's cluster. Optional if no provisioner uses it.");

const host = strict("an object with host and slots", {
  host: checked(
    "a URL of scheme, host and port only, such as http://runtime-1.example.com:9091",
    checkHost,
    /^https?:\/\/[^\/]+$/,
  ).describe("URL of the runtime. It identifies the runtime in the ledger, across all pools."),
  slots: count("a whole number from 1").describe("Number of slots of the runtime."),
  dataDir: absolute().default("/mnt/data").describe("Directory for data on that host."),
  audienceUrl: audience().optional().describe("Audience (JWT) of the runtime. Default: its host."),
  weight: positive("a number above 0", 1000)
    .default(1)
    .describe(
      "Share of the load: a host of weight 2 counts as half as full as one of weight 1 with the same slots in use.",
    ),
  drain: flag().default(false).describe("`true`: the host keeps its deployments and gets no new ones."),
});

const staticProvisioner = strict("an object", {
  type: z.literal("static").describe("A pool of existing runtimes. A deployment gets slots on one of them."),
  spec: strict("an object with runtimes", {
    runtimes: z
      .array(host, { error: "a list of runtimes" })
      .min(1, { error: "at least one runtime" })
      .describe("The runtimes of the pool."),
  }).describe("The pool."),
});

const templates = strict("an object of template files", {
  statefulset: file("a template")
    .optional()
    .describe("The workload, with its disk in a claim template. Not together with `deployment`."),
  deployment: file("a template")
    .optional()
    .describe("The workload, with its disk from `pvc`. Not together with `statefulset`."),
  pvc: file("a template").optional().describe("The PersistentVolumeClaim of the disk, for `deployment`."),
  service: file("a template").optional().describe("The service."),
  httpIngress: file("a template").optional().describe("The ingress for HTTP."),
  grpcIngress: file("a template").optional().describe("The ingress for gRPC."),
  helpers: z
    .array(file("a helper file"), { error: "a list of helper files" })
    .default([])
    .describe("Files that contain only `{{ define }}` blocks for the templates."),
});

const kubernetesProvisioner = strict("an object", {
  type: z.literal("kubernetes").describe("Every deployment gets its own workload in Kubernetes."),
  spec: strict("an object with namespace, host and image", {
    kubeconfig: kubeconfig.optional().describe("A cluster other than the platform's."),
    cluster: oneOf(["platform"]).optional().describe("`platform`: the platform's cluster. This is the default."),
    context,
    namespace: matching(NAMESPACE, "a legal name: a-z, 0-9 and inner -, 63 characters at most").describe(
      "Namespace of the runtimes.",
    ),
    createNamespace: flag()
      .default(false)
      .describe(
        "`true`: the platform creates the namespace. It stays when the provisioner is removed, because it may contain disks.",
      ),
    host: checked(
      "a URL with a * in its host name, such as https://*.example.com, without port and path",
      checkWildcardHost,
      /^https?:\/\/[^\/:]*\*[^\/:]*$/,
    ).describe(
      "URL of a runtime. Every `*` is replaced with the provision id, so that each deployment has its own host.",
    ),
    image: checked("an image without tag, such as example/runtime", checkImage, /^[^@:]+(:[0-9]+\/[^@:]+)?$/).describe(
      "Image without tag. The deployment's version is the tag.",
    ),
    timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
      .default(300)
      .describe("Seconds until a runtime must be ready."),
    dataDir: absolute().default("/mnt/data").describe("Mount path of the disk."),
    audienceUrl: audience()
      .optional()
      .describe("Audience (JWT) of a runtime. Every `*` is replaced with the provision id. Default: the host."),
    templates: templates
      .optional()
      .describe("Go templates of the objects, paths relative to the project folder. Default: built-in ones."),
    ping: matching(/^(\/\S*|off)$/, "a path such as /v1/ping, or off")
      .default("/v1/ping")
      .describe("Path of an HTTP request to the host that must succeed before a runtime is ready. `off`: no request."),
    ...namespaceFields,
    claimsWhenDeleted: oneOf(["Retain", "Delete"])
      .optional()
      .describe("Whether destroying a runtime deletes or keeps its disks. Default: the setting of the templates."),
  }).describe("Templates of runtimes."),
});

export const provisionerSchema = z
  .discriminatedUnion("type", [staticProvisioner, kubernetesProvisioner, gardenerProvisioner], {
    error: "static or kubernetes or gardener",
  })
  .describe("One provisioner.");

export const provisionerName = matching(PROVISIONER_NAME, "a legal name: a-z, 0-9 and inner -, 40 characters at most");

const environment = strict("an object with provisioner", {
  provisioner: matching(/\S/, "the name of a provisioner").describe(
    "Default provisioner of deployments in this environment.",
  ),
});

export const environmentName = matching(/^[A-Za-z0-9._-]{1,63}$/, "a name of A-Z a-z 0-9 . _ -, 63 characters at most");

export const slotSchema = strict("an object with cpu, memoryGb, diskGb", {
  cpu: positive("a number of CPUs above 0").default(1).describe("Number of CPUs."),
  memoryGb: positive("a number of GB above 0").default(4).describe("Memory in GB."),
  diskGb: count("a whole number of GiB from 1").default(40).describe("Disk in GiB."),
});

const LEDGER = "a PostgreSQL URL such as postgres://user:password@host:5432/database";

/** Schemas of the keys in the `stackyard:` namespace. */
export const platformShape = {
  cluster: clusterSchema.optional(),
  provisioners: z
    .record(provisionerName, provisionerSchema, { error: "an object of provisioners by name" })
    .describe("The provisioner set: provisioners by name."),
  defaultProvisioner: matching(/\S/, "the name of a provisioner").describe(
    "Provisioner of deployments that name none and whose environment has no default.",
  ),
  allowRemoval: z
    .array(matching(REMOVABLE, "a provisioner, or one of ClickHouse as clickhouse.NAME"), {
      error: 'a list of provisioners, such as ["shared"]',
    })
    .default([])
    .describe(
      "Provisioners that may be removed, or destroyed with the platform, although they have deployments. ClickHouse provisioners are written as `clickhouse.NAME`.",
    ),
  dataAccess: dataAccessSchema,
  environments: z
    .record(environmentName, environment, { error: "an object of environments by name" })
    .default({})
    .describe("Default provisioner of each environment."),
  slot: slotSchema.prefault({ cpu: 1, memoryGb: 4, diskGb: 40 }).describe("Size of one slot."),
  ledger: z.string({ error: LEDGER }).refine(isPostgresUrl, { error: LEDGER }).optional().meta({
    writeOnly: true,
    description:
      "PostgreSQL URL of the ledger of slots; a secret. Needed when a provisioner is static. Default: the one in `.yard/ledger-url`, which the local yard writes.",
  }),
  allowDataLoss: z
    .array(
      matching(
        /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/([a-z0-9]([-a-z0-9.]*[a-z0-9])?|\*)$/,
        "<namespace>/<claim> or <namespace>/*, such as jupyterhub/claim-ann",
      ),
      { error: 'a list of claims, such as ["jupyterhub/claim-ann"]' },
    )
    .default([])
    .describe(
      "PersistentVolumeClaims that an update or destroy may delete with their data: `<namespace>/<claim>`, or `<namespace>/*` for all in a namespace.",
    ),
  allowLeftovers: flag()
    .default(false)
    .describe(
      "`true`: delete a cluster that the platform created even if Services and Ingresses that it did not create have load balancers.",
    ),
  clickhouse: clickhouseSchema,
  charts: chartsSchema.prefault({}),
  images: imagesSchema.prefault({}),
  clusterAutoscaler: autoscalerSchema.optional(),
  ingress: ingressSchema.optional(),
  gpuDevicePlugin: gpuPluginSchema.optional(),
  metricsServer: metricsSchema.optional(),
  jupyterhub: jupyterhubSchema.optional(),
  ray: raySchema.optional(),
  rayOperator: rayOperatorSchema.optional(),
  teraslice: terasliceSchema.optional(),
  terasliceClusters: terasliceClustersSchema.optional(),
  service: serviceSchema.optional(),
  bundleClasses: bundleClassesSchema,
  bundles: bundlesSchema,
  instances: instancesSchema,
};

export type PlatformKey = keyof typeof platformShape;
export type ProvisionerInput = z.output<typeof provisionerSchema>;
export type StaticInput = Extract<ProvisionerInput, { type: "static" }>;
export type KubernetesInput = Extract<ProvisionerInput, { type: "kubernetes" }>;
export type ClusterInput = z.output<typeof clusterSchema>;
export type ExistingClusterInput = z.output<typeof existingCluster>;
export type KubeconfigInput = z.output<typeof kubeconfig>;

/** Keys whose value is text. The values of other keys are JSON. */
export const TEXT_KEYS: ReadonlySet<string> = new Set<PlatformKey>(["defaultProvisioner", "ledger"]);

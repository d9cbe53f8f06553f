import * as z from "zod";
import {
  checkImage,
  checkedText,
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
import { checkAudience, checkHost, checkWildcardHost, isPostgresUrl } from "../../../foundation/schema/urls";
import { context, file, kubeconfig } from "../../cluster/access/kubeconfigSchema";
import { namespaceFields } from "../../namespaces/config/schema";
import { gardenerProvisioner } from "./gardenerSchema";

/** Schemas of the keys for provisioners. */

const absolute = () => matching(/^\/\S*$/, "an absolute path such as /mnt/data");
const audience = () =>
  checkedText("an http or https URL without user, query and fragment", checkAudience, /^https?:\/\//);

const host = strict("an object with host and slots", {
  host: checkedText(
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
    host: checkedText(
      "a URL with a * in its host name, such as https://*.example.com, without port and path",
      checkWildcardHost,
      /^https?:\/\/[^\/:]*\*[^\/:]*$/,
    ).describe(
      "URL of a runtime. Every `*` is replaced with the provision id, so that each deployment has its own host.",
    ),
    image: checkedText(
      "an image without tag, such as example/runtime",
      checkImage,
      /^[^@:]+(:[0-9]+\/[^@:]+)?$/,
    ).describe("Image without tag. The deployment's version is the tag."),
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

const environmentName = matching(/^[A-Za-z0-9._-]{1,63}$/, "a name of A-Z a-z 0-9 . _ -, 63 characters at most");

const slotSchema = strict("an object with cpu, memoryGb, diskGb", {
  cpu: positive("a number of CPUs above 0").default(1).describe("Number of CPUs."),
  memoryGb: positive("a number of GB above 0").default(4).describe("Memory in GB."),
  diskGb: count("a whole number of GiB from 1").default(40).describe("Disk in GiB."),
});

const LEDGER = "a PostgreSQL URL such as postgres://user:password@host:5432/database";

/** Keys of the stack config. */
export const provisionerKeys = {
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
};

export type ProvisionerInput = z.output<typeof provisionerSchema>;
export type StaticInput = Extract<ProvisionerInput, { type: "static" }>;
export type KubernetesInput = Extract<ProvisionerInput, { type: "kubernetes" }>;

import * as z from "zod";
import {
  checkedText,
  count,
  flag,
  matching,
  NAMESPACE,
  oneOf,
  positive,
  strict,
  listOf,
} from "../../../foundation/schema/fields";
import { checkPinnedImage, TAGGED } from "../../charts/config/pinnedImage";

/**
 * Schema of the sections `teraslice` and `terafoundation` of the master's configuration, named as in Teraslice's
 * documentation.
 */

const MILLISECONDS = "milliseconds, as a whole number from 1, or a text such as 5 minutes";
const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";
export const legalName = () => matching(NAMESPACE, LEGAL);

export const image = () =>
  checkedText(
    "an image with a fixed tag or digest, such as ghcr.io/terascope/teraslice:v3.14.0-nodev24.18.0",
    checkPinnedImage,
    TAGGED,
  );

/** A duration as in Teraslice: milliseconds, or a number and a unit. */
const DURATION = /^[1-9]\d*( (millisecond|second|minute|hour|day|week)s?)?$/;
const milliseconds = () =>
  z.union([count(MILLISECONDS, 1_000_000_000), matching(DURATION, MILLISECONDS)], { error: MILLISECONDS });
const shards = (of: string) =>
  sectionSchema(`an object with number_of_shards and number_of_replicas`, {
    number_of_shards: count("a whole number from 1").optional().describe("Default: Teraslice's, 5."),
    number_of_replicas: z
      .int({ error: "a whole number from 0" })
      .min(0, { error: "a whole number from 0" })
      .optional()
      .describe("Default: Teraslice's, 1."),
  })
    .optional()
    .describe(`Number of replicas of the index of ${of}.`);
const bytes = () => count("a whole number of bytes from 1", Number.MAX_SAFE_INTEGER);
const cpus = () => positive("a number of CPUs above 0", 1000);
const LABEL_KEY = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;

/** Schema of a Teraslice section. Unknown keys are passed on with a warning. */
export const sectionSchema = <Shape extends z.ZodRawShape>(expected: string, shape: Shape) =>
  z.looseObject(shape, { error: expected });

const target = strict("an object with key and value", {
  key: matching(LABEL_KEY, "the key of a label").describe(
    "Key of the node label, and of the taint that pods tolerate.",
  ),
  value: matching(LABEL_VALUE, "the value of a label").describe("Value."),
});

const rollover = () => oneOf(["daily", "monthly", "yearly"]).default("monthly");

/** Name of a Teraslice cluster. It prefixes the names of objects. */
export const CLUSTER_NAME = /^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/;

export const settingsSchema = sectionSchema("an object of Teraslice's settings", {
  name: matching(CLUSTER_NAME, "a legal name: a-z, 0-9 and inner -, a letter first, 40 characters at most")
    .default("teracluster")
    .describe("Name of the Teraslice cluster, used in its objects, labels and indices."),
  assets_volume: legalName()
    .optional()
    .describe(
      "PersistentVolumeClaim for assets, mounted in the master and in all job pods. It must exist unless `assetsClaim` creates it.",
    ),
  kubernetes_image: image().optional().describe("Image of jobs. Default: `image`, else `teraslice:k8sdev`."),
  kubernetes_image_pull_secret: legalName()
    .optional()
    .describe("Image pull secret of jobs. Default: the first of `imagePullSecrets`."),
  kubernetes_config_map_name: legalName()
    .optional()
    .describe(
      "Name of the ConfigMap that is created for jobs. Default: `<CLUSTER_NAME>-worker`, with the cluster's `name`.",
    ),
  kubernetes_namespace: legalName().default("default").describe("Namespace of the master and of its jobs."),
  cluster_manager_type: oneOf(["kubernetesV2", "kubernetes"])
    .default("kubernetesV2")
    .describe("Use `kubernetes` only for masters that do not support `kubernetesV2`."),
  kubernetes_overrides_enabled: flag()
    .optional()
    .describe(
      "Whether jobs may have `pod_spec_override`. Default: `true` if job pods need it for secrets, else `false`.",
    ),
  kubernetes_priority_class_name: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of a PriorityClass")
    .optional()
    .describe("Existing PriorityClass of the master, execution controllers and stateful workers."),
  kubernetes_worker_antiaffinity: flag().default(false).describe("`true`: workers prefer nodes without other workers."),
  kubernetes_api_poll_delay: milliseconds()
    .default(1_000)
    .describe("Interval between two queries of the Kubernetes API."),
  cpu: cpus()
    .optional()
    .describe("CPU request and limit of workers whose job does not set it, in CPUs. Default: none."),
  memory: bytes()
    .optional()
    .describe("Memory request and limit of workers whose job does not set it, in bytes. Default: none."),
  cpu_execution_controller: cpus().default(0.5).describe("CPU request and limit of execution controllers, in CPUs."),
  memory_execution_controller: bytes()
    .default(512_000_000)
    .describe("Memory request and limit of execution controllers, in bytes."),
  execution_controller_targets: listOf(target, "{key, value}")
    .optional()
    .describe("Nodes that execution controllers must run on. Default: any."),
  env_vars: z
    .record(matching(/^[A-Za-z_]\w*$/, "a legal name: A-Z a-z 0-9 _"), matching(/[^]/, "a text that is not empty"), {
      error: "an object of texts by name",
    })
    .default({})
    .describe("Environment variables of all job pods, without secrets."),
  assets_directory: matching(/^\/\S*$/, "an absolute path")
    .default("/app/assets")
    .describe("Directory of assets."),
  asset_storage_connection_type: oneOf(["elasticsearch-next", "s3"])
    .default("elasticsearch-next")
    .describe("Type of the connection where assets are stored."),
  asset_storage_connection: matching(/\S/, "the name of a connection")
    .default("default")
    .describe("Name of that connection."),
  asset_storage_bucket: matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "the name of a bucket")
    .optional()
    .describe("Bucket for assets, only with `s3`. Default: `ts-assets-<CLUSTER_NAME>`."),
  autoload_directory: matching(/^\/\S*$/, "an absolute path")
    .optional()
    .describe("Directory in the image with assets that the master loads at start. Default: Teraslice's."),
  ephemeral_storage: flag().optional().describe("`true`: job pods get an empty volume. Default: false."),
  hostname: matching(/\S/, "a host").optional().describe("Host name of the master. Default: its address."),
  index_settings: sectionSchema("an object of indices", {
    analytics: shards("analytics"),
    assets: shards("assets"),
    execution: shards("executions"),
    jobs: shards("jobs"),
    state: shards("state"),
  })
    .optional()
    .describe("Shards and replicas of new indices."),
  slicer_port_range: matching(/^\d+:\d+$/, "two ports such as 45679:46678")
    .optional()
    .describe("Only for masters outside Kubernetes; has no effect here."),
  workers: z
    .int({ error: "a whole number from 0" })
    .min(0, { error: "a whole number from 0" })
    .optional()
    .describe("Only for masters outside Kubernetes; has no effect here."),
  state: sectionSchema("an object with connection", {
    connection: matching(/\S/, "the name of a connection")
      .default("default")
      .describe("Connection of type `elasticsearch-next` where the state is stored."),
  })
    .prefault({})
    .describe("Where the master stores its state."),
  index_rollover_frequency: sectionSchema("an object with state and analytics", {
    state: rollover().describe("How often a new index for state begins."),
    analytics: rollover().describe("How often a new index for analytics begins."),
  })
    .prefault({})
    .describe("How often new time-series indices begin."),
  port: count("a port from 1 to 65535", 65_535).default(5_678).describe("Port of the API."),
  action_timeout: milliseconds().default(300_000).describe("Timeout of responses to messages."),
  analytics_rate: milliseconds().default(60_000).describe("Interval between two reports of analytics."),
  api_response_timeout: milliseconds().default(300_000).describe("Timeout of responses of the API."),
  network_latency_buffer: milliseconds().default(15_000).describe("Added to `action_timeout`."),
  node_disconnect_timeout: milliseconds()
    .default(300_000)
    .describe("Time after which a disconnected node counts as lost."),
  node_state_interval: milliseconds().default(5_000).describe("Interval between two checks of nodes."),
  shutdown_timeout: milliseconds().default(60_000).describe("Time that pods get to shut down."),
  slicer_allocation_attempts: count("a whole number from 1")
    .default(3)
    .describe("Number of attempts to allocate a slicer."),
  slicer_timeout: milliseconds().default(180_000).describe("Time that workers get to connect to their slicer."),
  worker_disconnect_timeout: milliseconds()
    .default(300_000)
    .describe("Time after which disconnected workers count as lost."),
});

/** Settings that are durations: a number of milliseconds, or a number with a unit. */
export const DURATIONS = [
  "kubernetes_api_poll_delay",
  "action_timeout",
  "analytics_rate",
  "api_response_timeout",
  "network_latency_buffer",
  "node_disconnect_timeout",
  "node_state_interval",
  "shutdown_timeout",
  "slicer_timeout",
  "worker_disconnect_timeout",
] as const;

const level = () => oneOf(["trace", "debug", "info", "warn", "error", "fatal"]);

export const terafoundationFields = {
  environment: oneOf(["production", "development"])
    .optional()
    .describe("Only for masters before v3: with `development` they write logs in a readable format."),
  log_level: z
    .union(
      [
        level(),
        z.array(
          sectionSchema("an object with console or file", { console: level().optional(), file: level().optional() }),
        ),
      ],
      {
        error: "trace, debug, info, warn, error or fatal, or a list of {console, file}",
      },
    )
    .default("info")
    .describe("Minimum log level."),
  logging: listOf(oneOf(["console", "file"]), "console and file")
    .optional()
    .describe("Log destinations. Default: `console`."),
  log_path: matching(/^\/\S*$/, "an absolute path")
    .optional()
    .describe("Directory of log files, for `logging` with `file`. `/app/logs` is writable."),
  workers: count("a whole number from 1")
    .optional()
    .describe("Only for masters outside Kubernetes; has no effect here."),
  prom_metrics_enabled: flag().default(false).describe("`true`: serve metrics."),
  prom_metrics_port: count("a port from 1 to 65535", 65_535).default(3_333).describe("Port of metrics."),
  prom_metrics_add_default: flag().default(true).describe("`true`: include the default metrics of Node.js."),
  prom_metrics_display_url: z
    .string({ error: "a text" })
    .optional()
    .describe("Value of the label `url` of metrics. Default: none."),
};

import * as z from "zod";
import { RAY_MODES } from "../clusters";
import { count, flag, matching, NAMESPACE, oneOf, positive, strict, list } from "../../../foundation/schema/fields";
import { labels, toleration } from "../../charts/config/podFields";
import { namespaceFields } from "../../namespaces/config/schema";
import { jobsSchema, type RayJobSettings } from "./jobSchema";
import { containerPorts, objectStoreShare, podFields, rayPorts } from "./podSchema";

/** Schema of the key `ray`: Ray clusters by name. */

const NAME = "a legal name: a-z, 0-9 and inner -, a letter first, 49 characters at most";
const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";
const GB = "a number of GB from 0 to 1000";
const whole = (expected: string) =>
  z.int({ error: expected }).min(0, { error: expected }).max(100_000, { error: expected });
const secretName = () => matching(NAMESPACE, LEGAL);
const image = () =>
  matching(
    /^[a-z0-9][a-z0-9._-]*(:[0-9]+(?=\/))?(\/[a-z0-9._-]+)*(:[\w][\w.-]*(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$/,
    "an image with a tag or a digest, @sha256:…",
  );
const pool = () => matching(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)?$/, "the name of a node pool, or an empty text");

const pod = {
  cpu: count("a whole number of CPUs from 1")
    .default(8)
    .describe("CPUs of its node. Ray gets these minus `reservedCpu`."),
  memoryGb: positive("a number of GB above 0")
    .default(32)
    .describe("Memory of its node in GB. Ray gets this minus `reservedMemoryGb`."),
  gpu: whole("a whole number from 0").default(0).describe("Number of NVIDIA GPUs. Tasks can use fractions of one."),
  devices: z
    .record(
      matching(
        /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\/[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?$/,
        "a name such as nvidia.com/mig-1g.10gb",
      ),
      count("a whole number from 1"),
      { error: "an object of numbers by resource" },
    )
    .refine((given) => !("nvidia.com/gpu" in given), { error: "no nvidia.com/gpu, which gpu is" })
    .default({})
    .describe(
      "Other devices, by the name of their extended resource. For Ray, slices and shares of GPUs (`nvidia.com/mig-1g.10gb`, `nvidia.com/gpu.shared`) are GPUs, `aws.amazon.com/neuroncore` is `neuron_cores`, and `google.com/tpu` is `TPU`.",
    ),
  pool: pool().optional().describe("Node pool. Default: `pool` of the Ray cluster."),
  image: image().optional().describe("Image. Default: `image` of the Ray cluster."),
  nodeSelector: labels().default({}).describe("Labels that its node must have, in addition to those of the pool."),
  tolerations: list(toleration, "tolerations").describe("Tolerations in addition to those of the pool."),
  rayStartParams: z
    .record(
      matching(/^[a-z][a-z0-9-]*$/, "the name of a flag without dashes before it"),
      z.string({ error: "a text" }),
      {
        error: "an object of flags",
      },
    )
    .default({})
    .describe("Additional flags of `ray start`, without dashes. Flags that other fields set are not allowed."),
  objectStoreShare: objectStoreShare()
    .optional()
    .describe("Share of its memory for the object store. Default: `objectStoreShare` of the Ray cluster."),
  ...podFields,
};

const head = strict("an object with cpu, memoryGb, gpu, …", {
  ...pod,
  runsTasks: flag().default(false).describe("`false`: the head offers no CPUs, so that tasks can't overload it."),
  ports: containerPorts().describe(
    "Additional ports of its container, such as the one of Ray Serve. The head's Service has them too.",
  ),
});

const group = strict("an object with cpu, memoryGb, replicas, …", {
  ...pod,
  replicas: whole("a whole number from 0").optional().describe("Number of workers, for mode `static`. Default: 4."),
  minReplicas: whole("a whole number from 0")
    .optional()
    .describe("Minimum number of workers, for modes `autoscaling` and `kuberay`."),
  maxReplicas: whole("a whole number from 0")
    .optional()
    .describe("Maximum number of workers, for modes `autoscaling` and `kuberay`."),
  serviceAccount: secretName()
    .optional()
    .describe("An existing service account. Default: `serviceAccount` of the Ray cluster."),
  ports: containerPorts().describe("Additional ports of its container."),
});

const cluster = strict("an object with mode", {
  mode: oneOf(RAY_MODES).describe(
    "`static`: a fixed number of workers. `autoscaling`: Ray's own autoscaler. `kuberay`: the KubeRay operator.",
  ),
  enabled: flag().default(true).describe("`false`: keep its config here without running it."),
  namespace: matching(NAMESPACE, LEGAL).default("ray").describe("Namespace."),
  createNamespace: flag()
    .default(true)
    .describe("`true`: the platform creates the namespace. It stays when the Ray cluster is removed."),
  ...namespaceFields,
  rayVersion: matching(/^\d+\.\d+\.\d+$/, "a version such as 2.60.0")
    .default("2.60.0")
    .describe("Ray version of every pod. It must be that of the images."),
  image: image()
    .optional()
    .describe(
      "Image of every pod, from any registry, by tag or digest. Default: `rayproject/ray:<rayVersion>-py312-cpu`.",
    ),
  pool: pool()
    .optional()
    .describe(
      "Node pool: nodes with the label and the taint `dedicated=<pool>`. Empty: any node without taints. Default: `ray` on a cluster of type `eks`, else empty.",
    ),
  reservedCpu: whole("a whole number from 0").default(1).describe("CPUs of each node that Ray does not use."),
  reservedMemoryGb: z
    .number({ error: GB })
    .min(0, { error: GB })
    .max(1000, { error: GB })
    .optional()
    .describe(
      "Memory of each node in GB that Ray does not use: for the kubelet, the system and DaemonSets. Default: 2, or a quarter of `memoryGb` if that is below 8.",
    ),
  head: head.prefault({}).describe("The head pod."),
  workerGroups: z
    .record(
      matching(/^(?!head$)[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/, "a legal name of 20 characters at most, not head"),
      group,
      {
        error: "an object of worker groups by name",
      },
    )
    .prefault({ worker: {} })
    .describe("Worker groups by name. Default: one, `worker`."),
  imagePullPolicy: oneOf(["IfNotPresent", "Always", "Never"]).default("IfNotPresent").describe("Image pull policy."),
  imagePullSecrets: list(secretName(), "names").describe("Image pull secrets in the namespace."),
  objectStoreShare: objectStoreShare()
    .default(0.3)
    .describe("Share of a pod's memory for the object store in `/dev/shm`. The rest is for tasks."),
  ports: rayPorts().prefault({}).describe("Ports of Ray's processes."),
  ...podFields,
  serviceAccount: secretName()
    .optional()
    .describe(
      "An existing service account with access to data. Default: the platform creates `<name>-ray` without permissions.",
    ),
  headServiceAccount: secretName()
    .optional()
    .describe(
      "Service account of the head, for modes `autoscaling` and `kuberay`. Default: the platform creates `<name>-ray-head` with permission to manage Ray's pods.",
    ),
  auth: strict("an object with enabled, secretName", {
    enabled: flag()
      .optional()
      .describe(
        "`false`: every pod that reaches its ports can run code in it. Default: `true` for Ray 2.52 and later.",
      ),
    secretName: secretName()
      .optional()
      .describe(
        "Your own Secret in the namespace, with the token in its key `auth_token`. Default: the platform creates `<name>-ray-token`.",
      ),
  })
    .prefault({})
    .describe("Token that every client must send."),
  tls: strict("an object with caSecretName", {
    caSecretName: secretName().describe("Secret in the namespace with `ca.crt` and `ca.key`."),
  })
    .optional()
    .describe("Mutual TLS between all Ray processes and clients. Default: none."),
  gcsFaultTolerance: strict("an object with redisAddress", {
    redisAddress: matching(/^\S+:\d+$/, "an address such as redis.ray.svc:6379").describe("Host and port of Redis."),
    passwordSecret: secretName()
      .optional()
      .describe("Secret in the namespace with the password of Redis. Default: none."),
    passwordKey: matching(/^[\w.-]+$/, "a key of a Secret")
      .default("password")
      .describe("Key of the password in that Secret."),
  })
    .optional()
    .describe("Stores the head's state in Redis. Only for mode `kuberay`."),
  autoscaler: strict("an object with idleTimeoutSeconds, upscalingMode", {
    idleTimeoutSeconds: count("a whole number of seconds from 1")
      .default(60)
      .describe("Seconds after which an idle worker is removed."),
    upscalingMode: oneOf(["Default", "Conservative", "Aggressive"])
      .default("Default")
      .describe("How fast workers are added."),
  })
    .prefault({})
    .describe("Autoscaler settings, for groups with `minReplicas` and `maxReplicas`."),
  timeoutSeconds: count("a whole number of seconds from 1 to 86400", 86_400)
    .default(600)
    .describe("Seconds until everything must be ready, including new nodes."),
  jobs: jobsSchema.describe(
    "Jobs by name, which the platform submits when they are new or changed, or by a schedule. Default: none.",
  ),
  values: z
    .record(z.string(), z.unknown(), { error: "an object of Helm values" })
    .default({})
    .describe(
      "Values of the chart `charts/ray-static-cluster`, merged last, such as `podSpec` with fields of every pod.",
    ),
});

export const raySchema = z
  .record(matching(/^[a-z]([a-z0-9-]{0,47}[a-z0-9])?$/, NAME), cluster, { error: "an object of Ray clusters by name" })
  .describe("Ray clusters by name.");

export type RayClusterInput = z.output<typeof cluster>;
export type RayInput = z.output<typeof raySchema>;

/** Decoded config of a Ray cluster. Its pod fields apply to all pods. */
export type RayClusterConfig = Omit<RayClusterInput, "auth" | "enabled" | "jobs" | "pool"> & {
  /** In the order of the config. */
  readonly jobs: readonly RayJobSettings[];
  /** Empty for any node. */
  readonly pool: string;
  /** The Secret with the token, and whether the platform creates it. Not set without authentication. */
  readonly auth?: { readonly secretName: string; readonly isOwn: boolean } | undefined;
};
export type PodExtras = Pick<RayClusterInput, keyof typeof podFields>;
export type WorkerGroup = RayClusterInput["workerGroups"][string];
/** What the head and the workers have in common. */
export type RayPod = Pick<WorkerGroup, keyof RayClusterInput["head"] & keyof WorkerGroup>;

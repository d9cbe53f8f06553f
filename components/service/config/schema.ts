import * as z from "zod";
import { object } from "../../charts/config/podFields";
import { count, flag, matching, NAMESPACE, strict, list, stringMap } from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";
import { isPostgresUrl } from "../../../foundation/schema/urls";
import { guardFields } from "../../namespaces/config/schema";
import type { NamespaceConfig } from "../../namespaces/settings";

/** Schema of the key `service`: the provisioning service on the platform's cluster. */

/** Name of its objects. */
export const SERVICE = "stackyard-service";

const LEGAL = "a legal name: a-z, 0-9 and inner -, 63 characters at most";
const DATABASE = "a PostgreSQL URL such as postgres://user:password@host:5432/database";
const legalName = () => matching(NAMESPACE, LEGAL);
/** As in the schema of the chart's values. */
const IMAGE =
  /^[^\s:@]+(:[0-9]+(?=\/))?(\/[^\s:@]+)*(:(?!latest$)[A-Za-z0-9_][A-Za-z0-9_.-]*(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$/;
const ENCRYPTION_KEYS = /^[\w-]{1,32}:[A-Za-z0-9+/]{43}=(,\s*[\w-]{1,32}:[A-Za-z0-9+/]{43}=)*$/;
const secretText = (expected: string) => secret(matching(/\S/, expected));

const replicas = () => count("a whole number from 1 to 100", 100);

const autoscaling = strict("an object with minReplicas, maxReplicas, targetCPUUtilizationPercentage", {
  minReplicas: replicas().default(2).describe("Fewest pods."),
  maxReplicas: replicas().default(6).describe("Most pods."),
  targetCPUUtilizationPercentage: count("a whole number from 1 to 100", 100)
    .default(80)
    .describe("Use of the requested CPU, in percent, that it aims at."),
});

const secrets = strict("an object with databaseUrl", {
  databaseUrl: secret(z.string({ error: DATABASE }).refine(isPostgresUrl, { error: DATABASE })).describe(
    "PostgreSQL URL of the service's database.",
  ),
  stateBackend: secretText("the URL of a backend, such as postgres://… or s3://…")
    .optional()
    .describe("URL of the backend with the stacks' state."),
  passphrase: secretText("a passphrase")
    .optional()
    .describe("Passphrase of the stacks' secrets. Not needed with a key of a KMS."),
  webhookSecret: secretText("a key").optional().describe("Key that webhooks are signed with."),
  encryptionKeys: secret(matching(ENCRYPTION_KEYS, "id:key, separated by commas, each key 32 random bytes in base64"))
    .optional()
    .describe("Keys that encrypt secrets in its database, the first for new ones. Default: no request may have any."),
});

const peers = (who: string) => list(object("a peer of a NetworkPolicy"), "peers of a NetworkPolicy").describe(who);

const networkPolicy = strict("an object with enabled, ingress, metricsIngress, egress", {
  enabled: flag().default(true).describe("`false`: create no NetworkPolicy."),
  ingress: peers(
    "Who may connect to the API and the status page. Default: pods of its namespace; with `ingress` the whole cluster.",
  ),
  metricsIngress: peers(
    "Who may connect to the metrics. Default: pods of its namespace; with a ServiceMonitor the whole cluster.",
  ),
  egress: peers("Where the service may connect to, DNS besides. Default: anywhere."),
});

const serviceMonitor = strict("an object with enabled, interval, labels", {
  enabled: flag().optional().describe("Default: `true` where the cluster has the kind ServiceMonitor."),
  interval: matching(/^[0-9]+(ms|s|m|h)$/, "a duration such as 30s")
    .default("30s")
    .describe("How often metrics are read."),
  labels: stringMap("labels").default({}).describe("Labels by which your Prometheus selects it."),
});

const ingress = strict("an object with host", {
  host: matching(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "a host such as stackyard.example.com").describe("Host name."),
  className: matching(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, "the name of an IngressClass")
    .optional()
    .describe("Default: the cluster's default class."),
  tlsSecretName: legalName().optional().describe("Secret with the certificate. Default: no TLS."),
  annotations: stringMap("annotations").default({}).describe("Annotations."),
});

export const serviceSchema = strict("an object with image", {
  enabled: flag().default(true).describe("`false`: keep its config here without running it."),
  image: matching(IMAGE, "an image with a tag other than latest, or a digest").describe(
    "Image built from `service/Containerfile`, with its tag or digest.",
  ),
  imagePullSecrets: list(legalName(), "Secrets").describe("Image pull secrets in its namespace."),
  namespace: legalName().default("stackyard-service").describe("Namespace."),
  createNamespace: flag()
    .default(true)
    .describe("`true`: the platform creates the namespace. It stays when the service is removed."),
  ...guardFields,
  replicas: replicas().default(2).describe("Number of pods. With 2 or more, a PodDisruptionBudget keeps one running."),
  autoscaling: autoscaling
    .optional()
    .describe(
      "Number of pods by their use of CPU, instead of `replicas`. The cluster needs metrics-server. Default: none.",
    ),
  secrets: secrets
    .optional()
    .describe("Values of its Secret, which the platform creates. Either these or `secretName`."),
  secretName: legalName()
    .optional()
    .describe("Existing Secret with the keys of `secrets`. Restart the pods after you change it."),
  filesSecretName: legalName()
    .optional()
    .describe("Existing Secret with files that the config of stacks names, mounted at `/etc/stackyard`."),
  environment: z
    .record(
      matching(
        /^((APP|OTEL|AWS|STACKYARD|PULUMI)_[A-Z0-9_]+|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/,
        "a variable APP_…, OTEL_…, AWS_…, STACKYARD_… or PULUMI_…, or that of a proxy",
      ),
      z.string({ error: "a text" }),
      { error: "an object of variables" },
    )
    .describe(
      "[Environment variables](service-environment.md) of the service, without secrets. `APP_OIDC_ISSUER` is required. Default of `APP_PLATFORM`: this stack.",
    ),
  secretEnvironment: z
    .record(
      matching(/^(OTEL|AWS|PULUMI)_[A-Z0-9_]+$/, "a variable OTEL_…, AWS_… or PULUMI_…"),
      matching(/^[-._a-zA-Z0-9]{1,253}$/, "a key of the Secret"),
      { error: "an object of keys by variable" },
    )
    .default({})
    .describe("Environment variables that are secrets, each with its key in the Secret that `secretName` names."),
  resources: object("an object with requests, limits")
    .default({ requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "3Gi" } })
    .describe("Requests and limits of a pod. `APP_WORKERS` × 3 × `APP_WORKER_MEMORY_MB` must fit into the memory."),
  terminationGracePeriodSeconds: count("a whole number of seconds from 1 to 3600", 3600)
    .default(60)
    .describe("Seconds that a pod may take to terminate. Must be longer than `APP_DRAIN_TIMEOUT` and 5 seconds."),
  networkPolicy: networkPolicy.prefault({}).describe("Ingress and egress of its pods."),
  serviceMonitor: serviceMonitor.prefault({}).describe("Object of the Prometheus operator."),
  ingress: ingress.optional().describe("Ingress of the API and the status page. Default: none."),
  serviceAccountAnnotations: stringMap("annotations")
    .default({})
    .describe(
      "Annotations of its service account, such as the IAM role. The service account has no permissions in Kubernetes.",
    ),
  nodeSelector: stringMap("labels").default({}).describe("Labels of the nodes that it may run on."),
  tolerations: list(object("a toleration"), "tolerations").describe("Tolerations of its pods."),
  affinity: object("an object with nodeAffinity, podAffinity or podAntiAffinity")
    .default({})
    .describe("Affinity of its pods, as in Kubernetes."),
  priorityClassName: matching(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, "the name of a priority class")
    .optional()
    .describe("Existing PriorityClass of its pods."),
  podAnnotations: stringMap("annotations").default({}).describe("Annotations of its pods."),
  timeoutSeconds: count("a whole number of seconds from 1 to 7200", 7200)
    .default(300)
    .describe("Seconds until migrations must be done, and then until the pods must be ready."),
}).describe("The provisioning service, an API that creates and updates the runtimes of deployments.");

export type ServiceInput = z.output<typeof serviceSchema>;

/** Content of the service's Secret. */
export type ServiceSecrets = NonNullable<ServiceInput["secrets"]>;

/** Decoded config of the provisioning service. `secrets` are not set for an existing Secret. */
export interface ServiceSettings extends Omit<ServiceInput, "ingress" | keyof typeof guardFields> {
  /** Policies of the namespace that the platform creates, without `networkPolicy`, because the chart has its own. */
  readonly protection: NamespaceConfig;
  readonly secretName: string;
  readonly ingress?: Required<NonNullable<ServiceInput["ingress"]>>;
}

import { availableParallelism } from "node:os";
import {
  address,
  goDuration,
  endpoint,
  flag,
  networks,
  oneOf,
  period,
  receiver,
  sealKeys,
  staticTokens,
  text,
  url,
  whole,
} from "./fields";
import { GARDENER_VARIABLES } from "./gardenerVariables";
import { given, optional, type Variable } from "./variable";

const limit = (fallback: string, what: string) => given(goDuration(), fallback, `Time for ${what}.`);

/** Time limits for clusters without Kyma, if they differ. */
const bare = (name: string) => optional(goDuration(), `The same without Kyma. Default: ${name}.`);

/** Variables of the runtime API, whose clusters come from Gardener. */
const RUNTIME_VARIABLES = {
  APP_GARDENER_PROVISIONER: optional(
    text(),
    "Provisioner of runtimes that the runtime API creates. Default: the only one of type gardener of APP_PLATFORM.",
  ),
  APP_TRUST_TENANT_HEADER: given(
    flag(),
    "false",
    "Whether the runtime API needs no token: a proxy in front of the service has authenticated the caller and set the header tenant.",
  ),
  ...GARDENER_VARIABLES,
  APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS: limit("10m", "the domain of a new cluster"),
  APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION: limit("60m", "the creation of a cluster"),
  APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION: limit("5m", "the bindings of administrators"),
  APP_PROVISIONING_TIMEOUT_INSTALLATION_TRIGGERING: limit("20m", "the start of Kyma's installation"),
  APP_PROVISIONING_TIMEOUT_INSTALLATION: limit("60m", "Kyma's installation"),
  APP_PROVISIONING_TIMEOUT_UPGRADE_TRIGGERING: limit("20m", "the start of Kyma's upgrade"),
  APP_PROVISIONING_TIMEOUT_UPGRADE: limit("60m", "Kyma's upgrade"),
  APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION: limit("15m", "the configuration of the Runtime Agent"),
  APP_PROVISIONING_TIMEOUT_AGENT_CONNECTION: limit("15m", "the connection of the Runtime Agent"),
  APP_PROVISIONING_TIMEOUT_SHOOT_REFRESH: limit("5m", "Gardener to see a change of a cluster"),
  APP_PROVISIONING_TIMEOUT_SHOOT_UPGRADE: limit("30m", "a change of a cluster"),
  APP_HIBERNATION_TIMEOUT_WAITING_FOR_CLUSTER_HIBERNATION: limit("60m", "a cluster to hibernate or to wake up"),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_CLEANUP: limit("20m", "the clean-up of a cluster with Kyma"),
  APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION: limit("30m", "the start of a deletion"),
  APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: limit("60m", "the deletion of a cluster"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DOMAINS: bare("APP_PROVISIONING_TIMEOUT_CLUSTER_DOMAINS"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_CREATION: bare("APP_PROVISIONING_TIMEOUT_CLUSTER_CREATION"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_BINDINGS_CREATION: bare("APP_PROVISIONING_TIMEOUT_BINDINGS_CREATION"),
  APP_PROVISIONING_NO_INSTALL_TIMEOUT_AGENT_CONFIGURATION: bare("APP_PROVISIONING_TIMEOUT_AGENT_CONFIGURATION"),
  APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_CLUSTER_DELETION: bare("APP_DEPROVISIONING_TIMEOUT_CLUSTER_DELETION"),
  APP_DEPROVISIONING_NO_INSTALL_TIMEOUT_WAITING_FOR_CLUSTER_DELETION: bare(
    "APP_DEPROVISIONING_TIMEOUT_WAITING_FOR_CLUSTER_DELETION",
  ),
} as const satisfies Readonly<Record<string, Variable>>;

const days = () => whole(1, 36_500);

/**
 * All variables that the service reads. Names and defaults match the Kyma Runtime Provisioner where it has them. The
 * decoder and the table in docs/service-environment.md are derived from this table.
 */
export const VARIABLES = {
  APP_ADDRESS: given(address(), "127.0.0.1:3000", "Address of the API and of the status page."),
  APP_API_ENDPOINT: given(endpoint(), "/graphql", "Path of the GraphQL API."),
  APP_PLAYGROUND_API_ENDPOINT: given(endpoint(), "/graphql", "Path of the playground, a GraphQL editor."),
  APP_TRUSTED_PROXIES: optional(
    networks(),
    "Networks of the proxies in front of the service, as CIDRs separated by commas. Their header X-Forwarded-For says where a request comes from. Default: none.",
  ),
  APP_METRICS_ADDRESS: given(address(), "127.0.0.1:9000", "Address of the Prometheus metrics, at /metrics."),
  APP_LOG_LEVEL: given(
    oneOf(["trace", "debug", "info", "warn", "error", "silent"]),
    "info",
    "Lowest level that is logged.",
  ),
  APP_DRAIN_TIMEOUT: given(goDuration(), "30s", "Time that running requests and operations get after SIGTERM."),

  APP_DATABASE_URL: optional(
    url(["postgres", "postgresql"]),
    "URL of the database, instead of the variables that follow.",
    true,
  ),
  APP_DATABASE_USER: given(text(), "postgres", "User of the database."),
  APP_DATABASE_PASSWORD: given(text(), "password", "Password of that user.", { secret: true }),
  APP_DATABASE_HOST: given(text(), "localhost", "Host of the database."),
  APP_DATABASE_PORT: given(whole(1, 65_535), "5432", "Port of the database."),
  APP_DATABASE_NAME: given(text(), "provisioner", "Name of the database."),
  APP_DATABASE_SSL_MODE: given(
    oneOf(["disable", "prefer", "require", "verify-ca", "verify-full"]),
    "disable",
    "SSL mode of the connection, as libpq names them. APP_DATABASE_SSLMODE means the same.",
  ),
  APP_DATABASE_SSL_ROOT_CERT: optional(
    text(),
    "File with the CA certificates that verify the server certificate of the database.",
  ),
  APP_DATABASE_POOL: given(
    whole(8, 200),
    "10",
    "Maximum number of connections to the database; up to 5 listen all the time, and one is used while Runtime resources are served.",
  ),
  APP_ENCRYPTION_KEYS: optional(
    sealKeys(),
    "Keys that encrypt secrets in the database, as id:key (32 bytes in base64), the first for new ones. Default: none.",
    true,
  ),
  APP_MIGRATE: given(flag(), "true", "Whether to migrate the database at startup."),

  APP_OIDC_ISSUER: optional(url(["https", "http"]), "Issuer of the tokens (JWT) that the API accepts."),
  APP_OIDC_AUDIENCE: given(text(), "stackyard", "Required audience of a token."),
  APP_OIDC_JWKS_URL: optional(
    url(["https", "http"]),
    "URL of the issuer's keys (JWKS). Default: from its discovery document.",
  ),
  APP_OIDC_CLOCK_SKEW: given(goDuration(), "30s", "Allowed clock skew between the issuer and this service."),
  APP_OIDC_ROLES_CLAIM: given(
    text(),
    "stackyard",
    "Claim with the roles: an object of tenant to admin, operator or viewer; the tenant * means all tenants.",
  ),
  APP_OIDC_CLIENT_ID: optional(
    text(),
    "Public client of the issuer for `stackyard login`. Default: none; users log in with a token that they have.",
  ),
  APP_OIDC_SCOPES: given(text(), "openid email offline_access", "Scopes that `stackyard login` requests."),
  APP_ALLOW_STATIC_TOKENS: given(flag(), "false", "Whether static tokens are accepted. For development only."),
  APP_STATIC_TOKENS: optional(staticTokens(), "Static tokens as token=tenant:role, separated by commas.", true),

  APP_LIMIT_DEPTH: given(whole(3, 50), "12", "Maximum depth of a query."),
  APP_LIMIT_COST: given(whole(10, 1_000_000), "5000", "Maximum cost of a query."),
  APP_LIMIT_ALIASES: given(whole(1, 1000), "15", "Maximum number of aliases in a query."),
  APP_LIMIT_BODY_KB: given(whole(1, 10_240), "256", "Maximum size of a request in kilobytes."),
  APP_LIMIT_REQUESTS_PER_MINUTE: given(
    whole(1, 1_000_000),
    "600",
    "Maximum number of requests of one caller per minute and process; of one address for requests without a valid token.",
  ),
  APP_LIMIT_CONNECTIONS: given(whole(10, 100_000), "1000", "Maximum number of open connections to APP_ADDRESS."),
  APP_PUBLIC_SCHEMA: given(
    flag(),
    "false",
    "Whether requests without a token may read the schema of the API by introspection.",
  ),
  APP_QUOTA_DEPLOYMENTS: optional(
    whole(1, 1_000_000),
    "Maximum number of deployments of one tenant. Default: no limit.",
  ),
  APP_QUOTA_SLOTS: optional(whole(1, 1_000_000), "Maximum number of slots of one tenant. Default: no limit."),

  APP_KEEP_OPERATIONS_DAYS: given(
    days(),
    "90",
    "Number of days that operations are kept after their end, with stages, events and deliveries; also rollouts.",
  ),
  APP_KEEP_AUDIT_DAYS: given(days(), "400", "Number of days that entries of the audit trail are kept."),
  APP_KEEP_KEYS_DAYS: given(
    days(),
    "7",
    "Number of days in which a request with the same idempotency key is the same request.",
  ),
  APP_KEEP_NOTICES_DAYS: given(days(), "90", "Number of days that notices and their deliveries are kept."),

  ...RUNTIME_VARIABLES,

  APP_PROJECT: optional(text(), "Folder of the Stackyard project. Default: the one that the service belongs to."),
  APP_PLATFORM: given(text(), "dev", "Platform stack of deployments that do not name one."),
  APP_STACK_NAMES: given(
    oneOf(["id", "tenant"]),
    "tenant",
    "Names of new stacks: always with a suffix of the tenant; or the deployment's id, with a suffix where another tenant has it, which plans then show to tenants. Stacks keep their names.",
  ),
  APP_STATE_BACKEND: optional(
    url(["postgres", "file", "s3", "gs", "azblob", "https"]),
    "URL of the Pulumi state backend. Default: PULUMI_BACKEND_URL.",
    true,
  ),
  APP_WORKERS: given(
    whole(1, 64),
    String(Math.min(64, availableParallelism())),
    "Maximum number of concurrent operations.",
    {
      fallbackDescription: "number of CPUs",
    },
  ),
  APP_WORKER_MEMORY_MB: given(
    whole(128, 65_536),
    "350",
    "Memory of a worker with its engine and providers at which it is replaced. One update may take three times as much.",
  ),
  APP_WORKER_MAX_AGE: given(goDuration(), "1h", "Age at which a worker is replaced."),
  APP_ENQUEUE_IN_PROGRESS_OPERATIONS: given(flag(), "true", "Whether to resume operations in progress at startup."),
  APP_OPERATION_TIMEOUT: given(goDuration(), "60m", "Timeout of an operation, including retries."),
  APP_STAGE_TIMEOUT: given(goDuration(), "15m", "Timeout of one stage of an operation."),
  APP_DRIFT_INTERVAL: optional(
    goDuration(),
    "Interval of drift detection, which compares each deployment with its cluster. Default: disabled.",
  ),
  APP_DRIFT_REPAIR: given(flag(), "false", "Whether to repair drift."),
  APP_LIFETIME_TIME_TO_LIVE: optional(
    period(),
    "Time to live of new deployments that name none, such as 7d; then they are hibernated. Default: none.",
  ),
  APP_LIFETIME_IDLE_LIMIT: optional(
    period(),
    "Idle limit of new deployments that name none; so long after their last use they are hibernated. Default: none.",
  ),
  APP_LIFETIME_STOPPED_RETENTION: optional(
    period(),
    "Retention of new deployments that name none; so long after their hibernation they are deprovisioned. Default: none.",
  ),
  APP_LIFETIME_WARNING: given(
    period(),
    "24h",
    "How long before it happens the end of a lifetime is announced, unless a tenth of the limit is shorter.",
  ),
  APP_WEBHOOK_URL: optional(
    receiver(),
    "URL of the webhook that receives the result of each operation and each notice.",
  ),
  APP_WEBHOOK_SECRET: optional(text(), "Key that signs webhook messages.", true),
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableName = keyof typeof VARIABLES;

/** Alternative names of variables. */
export const ALIASES: Readonly<Record<string, VariableName>> = {
  APP_DATABASE_SSLMODE: "APP_DATABASE_SSL_MODE",
  APP_OAUTH_CREDENTIALS_NAMESPACE: "APP_CREDENTIALS_NAMESPACE",
  APP_OPERATOR_ROLE_BINDING_L2SUBJECT_NAME: "APP_OPERATOR_ROLE_BINDING_L2_SUBJECT_NAME",
  APP_OPERATOR_ROLE_BINDING_L3SUBJECT_NAME: "APP_OPERATOR_ROLE_BINDING_L3_SUBJECT_NAME",
};

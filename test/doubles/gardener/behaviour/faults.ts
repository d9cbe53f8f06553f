/** Failures of the infrastructure. A Shoot gets one by the name of its SecretBinding, or by an annotation. */

export const FAULT = "double.gardener.stackyard.dev/fault";

interface Fault {
  readonly code?: string;
  readonly description: string;
}

/** Failures that Gardener retries itself: here the second attempt succeeds. */
export const PASSING: Readonly<Record<string, Fault>> = {
  "resources-depleted": {
    code: "ERR_INFRA_RESOURCES_DEPLETED",
    description: "There are not enough hosts available of this machine type",
  },
  "retryable-dependencies": {
    code: "ERR_RETRYABLE_INFRA_DEPENDENCIES",
    description: "The network is still in use by another resource",
  },
  "retryable-configuration": {
    code: "ERR_RETRYABLE_CONFIGURATION_PROBLEM",
    description: "A webhook of the cluster refuses changes",
  },
  flaky: { description: "connection reset by peer" },
};

/** Failures after which nothing happens until a retry is requested. */
export const LASTING: Readonly<Record<string, Fault>> = {
  unauthenticated: { code: "ERR_INFRA_UNAUTHENTICATED", description: "The credentials are not valid" },
  unauthorized: { code: "ERR_INFRA_UNAUTHORIZED", description: "The credentials may not create networks" },
  "quota-exceeded": { code: "ERR_INFRA_QUOTA_EXCEEDED", description: "Quota CPUS exceeded. Limit: 24.0" },
  "rate-limits-exceeded": { code: "ERR_INFRA_RATE_LIMITS_EXCEEDED", description: "Request limit exceeded" },
  dependencies: { code: "ERR_INFRA_DEPENDENCIES", description: "The network is not empty" },
  configuration: { code: "ERR_CONFIGURATION_PROBLEM", description: "The zone does not exist" },
  webhook: { code: "ERR_PROBLEMATIC_WEBHOOK", description: "A webhook refuses the nodes' leases" },
};

/** A deletion that Gardener retries as long as the cluster contains something that it can't remove. */
export const CLEANUP = "cleanup";
export const CLEANUP_CODE = "ERR_CLEANUP_CLUSTER_RESOURCES";

/** By annotation only: the cluster is ready, but Gardener reports that it could not wake from hibernation. */
export const NO_HIBERNATION = "no-hibernation";

/** Errors that permit the forced deletion of a Shoot. */
export const FORCIBLE = [
  CLEANUP_CODE,
  "ERR_CONFIGURATION_PROBLEM",
  "ERR_INFRA_DEPENDENCIES",
  "ERR_INFRA_UNAUTHENTICATED",
  "ERR_INFRA_UNAUTHORIZED",
];

/** Names of SecretBindings that cause one of these failures. */
export const FAULT_BINDINGS = [...Object.keys(PASSING), ...Object.keys(LASTING), CLEANUP];

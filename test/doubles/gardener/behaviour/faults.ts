/** What can go wrong in the infrastructure. A Shoot has it by the name of its SecretBinding, or by an annotation. */

export const FAULT = "double.gardener.stackyard.dev/fault";

interface Fault {
  readonly code?: string;
  readonly description: string;
}

/** Gardener tries these again by itself: here the second try succeeds. */
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

/** Nothing happens any more until somebody asks for it. */
export const LASTING: Readonly<Record<string, Fault>> = {
  unauthenticated: { code: "ERR_INFRA_UNAUTHENTICATED", description: "The credentials are not valid" },
  unauthorized: { code: "ERR_INFRA_UNAUTHORIZED", description: "The credentials may not create networks" },
  "quota-exceeded": { code: "ERR_INFRA_QUOTA_EXCEEDED", description: "Quota CPUS exceeded. Limit: 24.0" },
  "rate-limits-exceeded": { code: "ERR_INFRA_RATE_LIMITS_EXCEEDED", description: "Request limit exceeded" },
  dependencies: { code: "ERR_INFRA_DEPENDENCIES", description: "The network is not empty" },
  configuration: { code: "ERR_CONFIGURATION_PROBLEM", description: "The zone does not exist" },
  webhook: { code: "ERR_PROBLEMATIC_WEBHOOK", description: "A webhook refuses the nodes' leases" },
};

/** A deletion that Gardener tries again and again, as long as the cluster has what it can't remove. */
export const CLEANUP = "cleanup";
export const CLEANUP_CODE = "ERR_CLEANUP_CLUSTER_RESOURCES";

/** By annotation only: Gardener is done with the cluster, and finds that it would not wake from hibernation. */
export const NO_HIBERNATION = "no-hibernation";

/** With one of these, a Shoot may be deleted by force. */
export const FORCIBLE = [
  CLEANUP_CODE,
  "ERR_CONFIGURATION_PROBLEM",
  "ERR_INFRA_DEPENDENCIES",
  "ERR_INFRA_UNAUTHENTICATED",
  "ERR_INFRA_UNAUTHORIZED",
];

/** Names of SecretBindings that lead to one of these. */
export const FAULT_BINDINGS = [...Object.keys(PASSING), ...Object.keys(LASTING), CLEANUP];

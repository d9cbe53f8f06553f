/** Gardener's error codes: what they mean for an operation that waits, and advice for users. */

/**
 * `wait`: Gardener retries by itself. `retry`: Gardener stopped, and a retry may help. `final`: a user must fix the
 * cause.
 */
type ErrorClass = "wait" | "retry" | "final";

interface Meaning {
  readonly class: ErrorClass;
  readonly advice: string;
}

const CODES: Readonly<Record<string, Meaning>> = {
  ERR_INFRA_UNAUTHENTICATED: {
    class: "final",
    advice: "the cloud does not accept the credentials: renew the Secret that the SecretBinding names",
  },
  ERR_INFRA_UNAUTHORIZED: {
    class: "final",
    advice: "the account of the cloud lacks rights: grant those that the message names",
  },
  ERR_INFRA_QUOTA_EXCEEDED: {
    class: "final",
    advice: "a quota of the cloud's account is used up: raise it, or ask for fewer or smaller nodes",
  },
  ERR_INFRA_RATE_LIMITS_EXCEEDED: {
    class: "retry",
    advice: "the cloud limits requests of this account: it is tried again after a while",
  },
  ERR_INFRA_DEPENDENCIES: {
    class: "final",
    advice:
      "something else in the cloud's account uses what the cluster needs or leaves: remove what the message names",
  },
  ERR_RETRYABLE_INFRA_DEPENDENCIES: {
    class: "wait",
    advice: "something in the cloud's account is still in use; Gardener tries again",
  },
  ERR_INFRA_RESOURCES_DEPLETED: {
    class: "wait",
    advice: "the cloud has no such machines left in this zone; Gardener tries again. Another type or zone may help",
  },
  ERR_CLEANUP_CLUSTER_RESOURCES: {
    class: "wait",
    advice: "objects in the cluster can't be deleted; remove their finalizers, or what refuses their deletion",
  },
  ERR_CONFIGURATION_PROBLEM: {
    class: "final",
    advice: "the cluster can't be created as requested: change the fields that the message names",
  },
  ERR_RETRYABLE_CONFIGURATION_PROBLEM: {
    class: "wait",
    advice: "something in the cluster keeps Gardener from its work, such as a PodDisruptionBudget; it tries again",
  },
  ERR_PROBLEMATIC_WEBHOOK: {
    class: "final",
    advice: "a webhook in the cluster refuses what Gardener has to do: change or remove it",
  },
};

/** Error codes with which Gardener permits a forced deletion. */
const FORCIBLE: ReadonlySet<string> = new Set([
  "ERR_CLEANUP_CLUSTER_RESOURCES",
  "ERR_CONFIGURATION_PROBLEM",
  "ERR_INFRA_DEPENDENCIES",
  "ERR_INFRA_UNAUTHENTICATED",
  "ERR_INFRA_UNAUTHORIZED",
]);

export const mayBeForced = (codes: readonly string[]): boolean => codes.some((code) => FORCIBLE.has(code));

/** The worst class of several codes. An error without a known code is final. */
export function classOf(codes: readonly string[]): ErrorClass {
  const classes = codes.map((code) => CODES[code]?.class ?? "final");
  return classes.length === 0 || classes.includes("final") ? "final" : classes.includes("retry") ? "retry" : "wait";
}

/** Advice for these codes, in one line; empty if there is none. */
export const adviceOn = (codes: readonly string[]): string =>
  [...new Set(codes.flatMap((code) => CODES[code]?.advice ?? []))].join("; ");

import { OperationError, type ErrorCode } from "../error";

interface Kind {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly component: string;
  /** Whether it may pass by itself, so that the stage is tried again. */
  readonly passes: boolean;
  readonly advice?: string;
}

/** What failures of the engine are known by; the first that matches counts. */
const KINDS: readonly Kind[] = [
  {
    pattern: /somebody else is working on this stack|stack is currently locked/,
    code: "UNAVAILABLE",
    component: "state",
    passes: true,
    advice: "Wait until the other one has ended",
  },
  {
    pattern: /state database .* cannot be reached|the database system is|terminating connection|Connection terminated/,
    code: "UNAVAILABLE",
    component: "database",
    passes: true,
  },
  {
    pattern:
      /a provider ended in the middle|was ended by SIG|worker process ended|no stack named|was changed by somebody else after this request/,
    code: "UNAVAILABLE",
    component: "engine",
    passes: true,
  },
  {
    pattern:
      /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|connection refused|connection reset|no such host|i\/o timeout|TLS handshake timeout|socket hang up|fetch failed|unexpected EOF|context deadline exceeded|etcdserver:|too many requests|Service Unavailable|server is currently unable|cannot be reached|does not answer|did not answer/i,
    code: "UNAVAILABLE",
    component: "cluster",
    passes: true,
  },
  {
    pattern: /the object has been modified|please apply your changes to the latest version/,
    code: "UNAVAILABLE",
    component: "cluster",
    passes: true,
  },
  {
    pattern: /config has (?:1 fault|\d+ faults)|must be given|^deployment "[^"]*": found .* expected one of/m,
    code: "BAD_INPUT",
    component: "platform",
    passes: false,
    advice: "Correct the request, and ask again",
  },
  {
    pattern: /a move is only made when asked for|the runtime stays|move the deployment (?:to|with)|Allow it to move/,
    code: "CONFLICT",
    component: "platform",
    passes: false,
    advice: "Ask for a move",
  },
];

/** A failure that the engine reported, and whether it may pass by itself. */
export interface Failure {
  readonly error: OperationError;
  readonly passes: boolean;
}

/** Reads what the engine says went wrong. What nobody knows is final: trying it again would only hide it. Pure. */
export function classify(errors: readonly string[]): Failure {
  const reason = errors.join("\n") || "the engine failed without a reason";
  const kind = KINDS.find(({ pattern }) => pattern.test(reason));
  const code = kind?.code ?? "PROVISIONING_FAILED";
  const advice = kind?.advice ?? (kind?.passes === true ? undefined : "Remove the cause, then retry the operation");
  const error = new OperationError(code, {
    reason,
    component: kind?.component ?? "engine",
    advice,
    retryable: kind?.passes ?? code === "PROVISIONING_FAILED",
  });
  return { error, passes: kind?.passes ?? false };
}

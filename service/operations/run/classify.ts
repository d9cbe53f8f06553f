import type { FailureKind } from "../../../foundation/errors";
import { OperationError, type ErrorCode } from "../error";

interface Class {
  readonly code: ErrorCode;
  readonly component: string;
  /** Whether it may pass by itself, so that the stage is tried again. */
  readonly passes: boolean;
  readonly advice?: string;
}

const MOVE: Class = { code: "CONFLICT", component: "platform", passes: false, advice: "Ask for a move" };
const passing = (component: string, advice?: string): Class => ({
  code: "UNAVAILABLE",
  component,
  passes: true,
  ...(advice !== undefined && { advice }),
});

/** What our own code says that a failure is about. */
const CLASSES: Readonly<Record<FailureKind, Class>> = {
  input: { code: "BAD_INPUT", component: "platform", passes: false, advice: "Correct the request, and ask again" },
  move: MOVE,
  platform: { code: "PROVISIONING_FAILED", component: "platform", passes: false },
  locked: passing("state", "Wait until the other one has ended"),
  changed: passing("engine"),
  ended: passing("engine"),
  state: passing("database"),
};

/**
 * What others say, in texts only: of an error of a provider, ours too, the engine hands over nothing but its message. The first
 * one that matches counts.
 */
const TEXTS: readonly (readonly [RegExp, Class])[] = [
  // The CLI, of a stack that somebody removed after it was looked for (pkg/backend: "no stack named '…' found").
  [/no stack named/, passing("engine")],
  // PostgreSQL at its start and end, which the CLI's own postgres:// backend prints as it is.
  [/the database system is|terminating connection|Connection terminated/, passing("database")],
  // Providers that reach no cluster or ledger: Node.js (libuv's codes, undici), Go (net, grpc, tls) and our own clients.
  [
    /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|socket hang up|fetch failed|connection refused|connection reset|no such host|i\/o timeout|TLS handshake timeout|unexpected EOF|context deadline exceeded|cannot be reached|does not answer|did not answer/i,
    passing("cluster"),
  ],
  // An API server that is overloaded, starts or has lost its etcd (apimachinery: api/errors).
  [/etcdserver:|too many requests|Service Unavailable|server is currently unable/i, passing("cluster")],
  // An API server, of an object that another user changed at the same moment (apiserver: registry/generic).
  [/the object has been modified|please apply your changes to the latest version/, passing("cluster")],
  // The provider of slots, of a host that has too few (provider/ledger/messages.ts).
  [/Allow it to move to another host/, MOVE],
];

const UNKNOWN: Class = { code: "PROVISIONING_FAILED", component: "engine", passes: false };

/** A failure that the engine reported, and whether it may pass by itself. */
export interface Failure {
  readonly error: OperationError;
  readonly passes: boolean;
}

/**
 * What an operation failed with: by what our own code says that it is about, else by the text. What nobody knows is final: trying
 * it again would only hide it. Pure.
 */
export function classify(errors: readonly string[], kind?: FailureKind): Failure {
  const reason = errors.join("\n") || "the engine failed without a reason";
  const read = () => TEXTS.find(([pattern]) => pattern.test(reason))?.[1] ?? UNKNOWN;
  const { code, component, passes, advice } = kind === undefined ? read() : CLASSES[kind];
  const error = new OperationError(code, {
    reason,
    component,
    advice: advice ?? (passes ? undefined : "Remove the cause, then retry the operation"),
    retryable: passes || code === "PROVISIONING_FAILED",
  });
  return { error, passes };
}

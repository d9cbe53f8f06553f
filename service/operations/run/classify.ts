import type { FailureKind } from "../../../foundation/errors";
import { OperationError, type ErrorCode } from "../error";

interface Class {
  readonly code: ErrorCode;
  readonly component: string;
  /** Whether the failure is transient, so that the stage is retried. */
  readonly passes: boolean;
  readonly advice?: string;
}

const MOVE: Class = { code: "CONFLICT", component: "platform", passes: false, advice: "Ask for a move" };
const PROTECTED: Class = {
  code: "PROTECTED",
  component: "platform",
  passes: false,
  advice: "Ask an administrator to remove the protection",
};
const passing = (component: string, advice?: string): Class => ({
  code: "UNAVAILABLE",
  component,
  passes: true,
  ...(advice !== undefined && { advice }),
});

const INPUT: Class = {
  code: "BAD_INPUT",
  component: "platform",
  passes: false,
  advice: "Correct the request, and ask again",
};

/** Failure kinds that our own code reports. */
const CLASSES: Readonly<Record<FailureKind, Class>> = {
  input: INPUT,
  move: MOVE,
  protected: PROTECTED,
  platform: { code: "PROVISIONING_FAILED", component: "platform", passes: false },
  locked: passing("state", "Wait until the other one has ended"),
  changed: passing("engine"),
  ended: passing("engine"),
  state: passing("database"),
};

/** Our provider: a request for a Shoot to Gardener's API server failed (kubernetes/client/client.ts). */
const SHOOT = /\bcould not \w+ Shoot \S+: /;
const GARDENER = "gardener-api";

/**
 * Messages of other programs. The engine passes only the text of a provider's error, for our provider too. The first
 * match wins.
 */
const TEXTS: readonly (readonly [RegExp, Class])[] = [
  // CLI: the stack was removed after it was looked up (pkg/backend: "no stack named '…' found").
  [/no stack named/, passing("engine")],
  // PostgreSQL while it starts or stops; the CLI's postgres:// backend prints these messages unchanged.
  [/the database system is|terminating connection|Connection terminated/, passing("database")],
  // A cluster with another CA: our own client, Node.js and Go's tls. It stays so until somebody acts.
  [
    /certificate is not trusted|x509: |self-signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/,
    {
      code: "PROVISIONING_FAILED",
      component: "cluster",
      passes: false,
      advice: "Correct the CA certificate in the provisioner's kubeconfig, then retry the operation",
    },
  ],
  // Providers that can't reach a cluster or ledger: Node.js (libuv's codes, undici), Go (net, grpc, tls) and our own
  // clients.
  [
    /ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|socket hang up|fetch failed|connection refused|connection reset|no such host|i\/o timeout|TLS handshake timeout|unexpected EOF|context deadline exceeded|cannot be reached|does not answer|did not answer/i,
    passing("cluster"),
  ],
  // An API server that is overloaded, starting, or without etcd (apimachinery: api/errors), and a load balancer before it.
  [
    /etcdserver:|too many requests|Service Unavailable|server is currently unable|Bad Gateway|Gateway Time-?out|\bHTTP (?:429|50[234])\b/i,
    passing("cluster"),
  ],
  // An API server: the object was changed at the same time (apiserver: registry/generic).
  [/the object has been modified|please apply your changes to the latest version/, passing("cluster")],
  [SHOOT, { code: "PROVISIONING_FAILED", component: GARDENER, passes: false }],
  // The provider of slots: the host has too few (provider/ledger/messages.ts).
  [/Allow it to move to another host/, MOVE],
  // The provider of manifests: only the cluster knows how large a disk is (kubernetes/claims/claimPlan.ts).
  [/a disk can't become smaller:/, INPUT],
];

const UNKNOWN: Class = { code: "PROVISIONING_FAILED", component: "engine", passes: false };

/** A failure that the engine reported, and whether it is transient. */
export interface Failure {
  readonly error: OperationError;
  readonly passes: boolean;
}

/** A cluster that does not answer is Gardener's own if a Shoot was requested. */
const ofGardener = (reason: string, found: Class): Class =>
  found.component === "cluster" && SHOOT.test(reason) ? { ...found, component: GARDENER } : found;

/**
 * Classifies a failure by the kind that our code reports, else by the text. Unknown failures are permanent, because
 * retries would only hide them. Pure.
 */
export function classify(errors: readonly string[], kind?: FailureKind): Failure {
  const reason = errors.join("\n") || "the engine failed without a reason";
  const read = () => ofGardener(reason, TEXTS.find(([pattern]) => pattern.test(reason))?.[1] ?? UNKNOWN);
  const { code, component, passes, advice } = kind === undefined ? read() : CLASSES[kind];
  const error = new OperationError(code, {
    reason,
    component,
    advice: advice ?? (passes ? undefined : "Remove the cause, then retry the operation"),
    retryable: passes || code === "PROVISIONING_FAILED",
  });
  return { error, passes };
}

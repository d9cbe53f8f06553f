import { Kind, type GraphQLError } from "graphql";
import type { StoredError } from "../../database/tables";

/*
 * The error format of the Kyma Runtime Provisioner's API. Its clients read the numeric code and, in later versions, the
 * reason and the component. Pure.
 */

const CODES = { badRequest: 400, forbidden: 403, internal: 500, external: 501, badGateway: 502, database: 1 } as const;

const CALLERS = new Set(["BAD_INPUT", "NOT_FOUND", "CONFLICT", "QUOTA_EXCEEDED", "PROTECTED", "TOO_LARGE"]);

type Parts = Pick<StoredError, "code" | "component" | "reason">;

const TIMEOUT = "err_provisioner_timeout";

/** Additional `extensions` of an error. */
export function originalForm(parts: Parts): Readonly<Record<string, unknown>> {
  return { error_code: codeOf(parts), error_reason: reasonOf(parts), error_component: componentOf(parts) };
}

function codeOf({ code, component }: Parts): number {
  if (code === "UNAUTHENTICATED") return 401;
  if (code === "RATE_LIMITED") return 429;
  if (code === "FORBIDDEN") return CODES.forbidden;
  if (CALLERS.has(code)) return CODES.badRequest;
  if (component === "gardener") return CODES.external;
  if (component === "director") return CODES.badGateway;
  return component === "database" ? CODES.database : CODES.internal;
}

/** Returns the reason of a failure: Gardener's error codes if there are any. */
export function reasonOf({ code, component, reason }: Parts): string {
  const codes = reason.match(/\bERR_[A-Z_]+\b/g);
  if (codes) return [...new Set(codes)].join(", ");
  if (/^stage \S+ is unknown\b/.test(reason)) return "err_provisioner_step_not_found";
  if (code === "TIMEOUT") return TIMEOUT;
  if (component === "gardener-api") return reasonIn(reason);
  if (code === "NOT_FOUND") return "err_db_not_found";
  return component === "database" ? "err_db_internal" : "err_provisioner_internal";
}

/** Reasons of the Kubernetes API, by what its messages have in common (apimachinery: api/errors). */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ is forbidden: |denied the request/, "Forbidden"],
  [/ is invalid: |failed to create typed patch object/, "Invalid"],
  [/ already exists/, "AlreadyExists"],
  [/ not found/, "NotFound"],
  [/Unauthorized/, "Unauthorized"],
  [/object has been modified|changes to the latest version/, "Conflict"],
  [/too many requests/i, "TooManyRequests"],
  [/server is currently unable|service unavailable/i, "ServiceUnavailable"],
  [/Gateway Time-?out/i, "Timeout"],
  [/ cannot be reached: |Bad Gateway/, ""],
];

/** As the original, which passes the reason of the API's answer on, and an empty text where there is no answer. */
const reasonIn = (message: string): string =>
  REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? "InternalError";

const COMPONENTS: Readonly<Record<string, string>> = {
  database: "db - provisioner",
  gardener: "gardener",
  "gardener-api": "k8s client - gardener",
  cluster: "k8s client - cluster",
  director: "mps oauth2",
};

export function componentOf(parts: Parts): string {
  if (parts.code === "NOT_FOUND") return "db - provisioner";
  return reasonOf(parts) === TIMEOUT ? "provisioner" : (COMPONENTS[parts.component] ?? "provisioner");
}

/**
 * Returns the schema name of the failed field. The query may use an alias: clients of the Kyma Runtime Provisioner call
 * each field `result`.
 */
function fieldOf({ path, nodes }: GraphQLError): string | undefined {
  if (path === undefined) return undefined;
  const [node] = nodes ?? [];
  return node?.kind === Kind.FIELD ? node.name.value : String(path[0]);
}

/** Adds the format to errors of the fields of the runtime API, and to errors without a field, such as syntax errors. */
export function withOriginalForm(error: GraphQLError, isOriginal: (field: string) => boolean): GraphQLError {
  const field = fieldOf(error);
  if (field === undefined || isOriginal(field)) {
    const { code, component, reason } = error.extensions as Partial<Parts>;
    const parts = { code: code ?? "INTERNAL", component: component ?? "api", reason: reason ?? error.message };
    Object.assign(error.extensions, originalForm(parts));
  }
  return error;
}

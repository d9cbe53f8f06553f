import { GraphQLError } from "graphql";
import { Failure } from "../../foundation/errors";
import { isDatabaseUnavailable } from "../../foundation/net/unavailable";
import { OperationError } from "../operations/error";

/** Errors of the caller, with the HTTP status that matches. */
const CALLERS = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  PROTECTED: 409,
  QUOTA_EXCEEDED: 403,
  TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
} as const;

/** Errors of the service or of its dependencies, with the HTTP status that matches. */
const SERVICES = { INTERNAL: 500, CANCELED: 500, PROVISIONING_FAILED: 500, UNAVAILABLE: 503, TIMEOUT: 504 } as const;

const STATUS: Readonly<Record<string, number>> = { ...CALLERS, ...SERVICES };

/** Every code that an error may have. */
export const ERROR_CODES = Object.keys(STATUS);

export type ApiErrorCode = keyof typeof CALLERS | keyof typeof SERVICES;

export interface ErrorParts {
  readonly code: ApiErrorCode;
  readonly reason: string;
  /** Component that reports the error: api, operations, engine, database, … */
  readonly component?: string;
  /** Path of the invalid field in the input. */
  readonly path?: string;
  /** How to fix it. */
  readonly advice?: string;
  readonly retryable?: boolean;
  /** Seconds until another attempt may succeed; sent as the header Retry-After. */
  readonly retryAfter?: number;
}

/** Headers of an HTTP response with only this error. */
export function headersOf({ code, retryAfter }: ErrorParts): Readonly<Record<string, string>> {
  return {
    ...(code === "UNAUTHENTICATED" && { "www-authenticate": "Bearer" }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
}

/** Builds the `extensions` that all errors have. */
export function extensionsOf({ code, reason, component = "api", path, advice, retryable }: ErrorParts) {
  const status = STATUS[code] ?? 500;
  return {
    code,
    status,
    class: status < 500 ? "caller" : "service",
    reason,
    component,
    ...(path === undefined ? {} : { path }),
    ...(advice === undefined ? {} : { advice }),
    retryable: retryable ?? (code === "UNAVAILABLE" || code === "TIMEOUT" || code === "RATE_LIMITED"),
  };
}

/** An error that is returned to the caller as it is. */
export class ApiError extends GraphQLError {
  constructor(readonly parts: ErrorParts) {
    super(parts.reason, { extensions: extensionsOf(parts) });
  }
}

/** PostgreSQL's class 22: invalid data in a valid statement. */
const isOutOfRange = (error: unknown): boolean => /^22\w{3}$/.test(String((error as { code?: unknown }).code));

/**
 * Converts an error to the form that callers see. The text of an unexpected error is hidden: `report` receives the
 * error, and the caller gets the request id to refer to.
 */
export function shown(error: unknown, request: string, report: (error: unknown) => void): GraphQLError {
  const graphql = error instanceof GraphQLError ? error : undefined;
  const original = graphql ? (graphql.originalError ?? graphql) : error;
  const place = graphql && {
    nodes: graphql.nodes,
    source: graphql.source,
    positions: graphql.positions,
    path: graphql.path,
  };
  const make = (parts: ErrorParts): GraphQLError =>
    new GraphQLError(parts.reason, { ...place, extensions: extensionsOf(parts) });

  if (original instanceof ApiError) return make(original.parts);
  if (original instanceof OperationError) {
    if (original.code === "INTERNAL") report(original);
    return make(partsOf(original));
  }
  if (original instanceof GraphQLError) {
    const wrong = make({ code: "BAD_INPUT", reason: graphql?.message ?? "" });
    // A mutation by GET must keep its own HTTP status.
    const { http } = original.extensions;
    if (http !== undefined) wrong.extensions["http"] = http;
    return wrong;
  }
  if (isOutOfRange(original)) {
    const reason = "the request has a value that the database does not accept, such as a character with the code 0";
    return make({ code: "BAD_INPUT", component: "database", reason });
  }
  report(original);
  if (original instanceof Failure) {
    // The first line is for users; the engine may add details below it.
    const reason = original.message.split("\n")[0] ?? "";
    return make({ code: "UNAVAILABLE", component: "engine", reason });
  }
  if (isDatabaseUnavailable(original)) {
    const reason = "the database does not answer; nothing was changed by this request that is not in the history";
    return make({ code: "UNAVAILABLE", component: "database", reason, advice: "try again in a moment" });
  }
  const advice = `report it with the request's id ${request}; the service's log has the details`;
  return make({ code: "INTERNAL", reason: "unexpected error in the service", advice });
}

const partsOf = ({ code, reason, component, path, advice, retryable }: ErrorParts): ErrorParts => ({
  code,
  reason,
  component,
  path,
  advice,
  retryable,
});

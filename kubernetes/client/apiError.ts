/** Errors of an API server and of the connection to it, as messages for users. */

import { listAt, numberAt, textAt } from "../objects/objects";
import { isObject, jsonIn } from "../../foundation/json/isObject";

/** A response outside 2xx. `message` is the server's own and names the object. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** HTTP status. */
    readonly code: number,
    /** Reason of the Status: `NotFound`, `Invalid`, `Forbidden`, … */
    readonly reason: string,
    /** The invalid fields of an `Invalid`, each with its reason. */
    readonly causes: readonly Cause[] = [],
    /** Resource that the error is about; `namespaces` if a namespace is missing. */
    readonly about?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** No response: the server is unreachable, untrusted or too slow, or the connection was cut. */
export class UnreachableError extends Error {
  constructor(
    message: string,
    /** Whether a retry may succeed; false for untrusted certificates and unknown host names. */
    readonly passing: boolean,
    /** The request was sent but not answered in time, so it may still be carried out. */
    readonly late = false,
  ) {
    super(message);
    this.name = "UnreachableError";
  }
}

/** Parses a Status. A body that is none, such as one from a proxy, is quoted in part. */
export function apiError(action: string, code: number, body: string, retryAfterSeconds?: number): ApiError {
  const status = jsonIn(body); // Undefined if it is not from the API server: reported as text below.
  const details = isObject(status) ? status["details"] : undefined;
  const causes = listAt(details, "causes").map((cause) => ({
    field: textAt(cause, "field") ?? "",
    reason: textAt(cause, "reason") ?? "",
    message: textAt(cause, "message") ?? "",
  }));
  const said = textAt(status, "message") ?? firstLine(body);
  const advice = adviceOn(code, said);
  // The API server answers 500 for an object that does not match its schema.
  const invalid = code === 500 && /failed to create typed patch object/.test(said);
  // It also answers 500 for an object that is too large to store. A retry would fail again.
  const tooLarge = code === 500 && /request is too large/.test(said);
  return new ApiError(
    `${action}: ${said === "" ? `HTTP ${code} with an empty response` : said}${advice}`,
    invalid ? 422 : tooLarge ? 413 : code,
    invalid ? "Invalid" : (textAt(status, "reason") ?? ""),
    causes,
    textAt(details, "kind"),
    retryAfterSeconds ?? numberAt(details, "retryAfterSeconds"),
  );
}

function adviceOn(code: number, said: string): string {
  if (code === 401) return "; the credentials of the kubeconfig are not accepted (expired?)";
  if (code === 403 && / cannot impersonate\b/.test(said))
    return ". To impersonate a user (as), the kubeconfig's user requires the verb impersonate on that user";
  return "";
}

function firstLine(body: string): string {
  const text = body.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return text.trim().slice(0, 200);
}

/** The object or its kind does not exist. */
export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 404;

/** The version of a list that was asked for is too old. */
export const isExpired = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 410;

/** The API server does not allow this. */
export const isForbidden = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 403;

/** The user lacks a right. Quotas, limits and admission policies respond with 403 too. */
export const lacksRight = (error: unknown): error is ApiError =>
  isForbidden(error) && / cannot \w+ resource /.test(error.message);

/** The namespace does not exist. */
export const isMissingNamespace = (error: unknown): boolean => isNotFound(error) && error.about === "namespaces";

/** Another manager owns fields that were to be applied; `causes` lists them. */
export const isFieldConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code === 409 &&
  error.causes.some(({ reason }) => reason === "FieldManagerConflict");

export const isConflict = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 409;

const UNTRUSTED = new Set([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Converts an error of the connection to a message. */
export function unreachable(server: string, error: unknown): UnreachableError {
  const { code = "", message = "", late = false } = firstOf(error);
  const say = (what: string, passing: boolean) =>
    new UnreachableError(`the cluster at ${server} cannot be reached: ${what}`, passing, late);
  if (UNTRUSTED.has(code)) return say(`its certificate is not trusted (${message || code})`, false);
  switch (code) {
    case "ENOTFOUND":
      return say("no such host name", false);
    case "EAI_AGAIN":
      return say("the host name cannot be looked up now", true);
    case "ECONNREFUSED":
      return say("nothing listens there (connection refused)", true);
    case "ECONNRESET":
    case "EPIPE":
      return say("the connection was cut off", true);
    case "ETIMEDOUT":
      return say(message || "no answer in time", true);
    case "ENETUNREACH":
    case "EHOSTUNREACH":
      return say("no way there from this network", true);
    default:
      // EPROTO: the server does not speak TLS, or the key does not match the certificate.
      return say(message || code, !code.startsWith("ERR_") && code !== "EPROTO");
  }
}

/** A connection attempted on several addresses fails with one error per address. */
function firstOf(error: unknown): { code?: string; message?: string; late?: boolean } {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { message: String(first) };
  const { code, late } = first as NodeJS.ErrnoException & { late?: boolean };
  return { code, message: first.message, late };
}

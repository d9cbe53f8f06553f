/** Errors of an API server, as messages for users. */

import { listAt, numberAt, textAt } from "./objects";
import { isObject } from "../../foundation/json/isObject";

/** An answer outside 2xx. `message` is the API's own; it names the object. */
export class ApiError extends Error {
  constructor(
    message: string,
    /** HTTP status. */
    readonly code: number,
    /** Of the API's Status: `NotFound`, `Invalid`, `Forbidden`, … */
    readonly reason: string,
    /** The faulty fields of an `Invalid`, each with what is wrong with it. */
    readonly causes: readonly Cause[] = [],
    /** Kind that the answer is about, as a resource name; `namespaces` when a namespace is missing. */
    readonly about?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** No answer at all: not reachable, not trusted, cut off, too slow. */
export class UnreachableError extends Error {
  constructor(
    message: string,
    /** Whether trying again may help; false for certificates that are not trusted and names that do not exist. */
    readonly passing: boolean,
    /** The request was sent and not answered in time: it may be carried out anyway. */
    readonly late = false,
  ) {
    super(message);
    this.name = "UnreachableError";
  }
}

/** Reads a Status; what is no Status (a proxy in between) is identified by its first words. */
export function apiError(action: string, code: number, body: string, retryAfterSeconds?: number): ApiError {
  let status: unknown;
  try {
    status = JSON.parse(body);
  } catch {
    status = undefined; // Not from the API server: reported as text below.
  }
  const details = isObject(status) ? status["details"] : undefined;
  const causes = listAt(details, "causes").map((cause) => ({
    field: textAt(cause, "field") ?? "",
    reason: textAt(cause, "reason") ?? "",
    message: textAt(cause, "message") ?? "",
  }));
  const said = textAt(status, "message") ?? firstLine(body);
  const advice = adviceOn(code, said);
  // An object that does not fit its schema is answered as if the server were at fault.
  const invalid = code === 500 && /failed to create typed patch object/.test(said);
  // So is one that is too large to be stored; another try would be as large.
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

/** The object or its kind is not there. */
export const isNotFound = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 404;

/** The namespace is not there, whatever was asked for in it. */
export const isMissingNamespace = (error: unknown): boolean => isNotFound(error) && error.about === "namespaces";

/** Another manager has fields that were to be applied; the causes say which. */
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

/** Turns an error of the connection into words. */
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
      // An EPROTO is TLS spoken to something that speaks none, or a key that fits no certificate.
      return say(message || code, !code.startsWith("ERR_") && code !== "EPROTO");
  }
}

/** A connection tried on several addresses fails with one error for each. */
function firstOf(error: unknown): { code?: string; message?: string; late?: boolean } {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return { message: String(first) };
  const { code, late } = first as NodeJS.ErrnoException & { late?: boolean };
  return { code, message: first.message, late };
}

/** Rejections of a Director, by error number. */

const KINDS: Readonly<Record<number, string>> = {
  10: "InternalError",
  11: "UnknownError",
  20: "NotFound",
  21: "NotUnique",
  22: "InvalidData",
  23: "InsufficientScopes",
  24: "TenantRequired",
  25: "TenantNotFound",
  26: "Unauthorized",
  27: "InvalidOperation",
};

const ADVICE: Readonly<Record<string, string>> = {
  NotUnique: "choose another name for the runtime, or remove the one that is registered",
  InsufficientScopes: "the client needs the scopes runtime:read and runtime:write",
  Unauthorized: "check clientId and clientSecret",
  TenantRequired: "set the tenant of the runtime",
  TenantNotFound: "check the tenant of the runtime: the Director does not know it",
};

/** The Director rejected the request. */
export class DirectorError extends Error {
  override readonly name = "DirectorError";

  constructor(
    action: string,
    message: string,
    /** Undefined if the number is missing or unknown. */
    readonly kind: string | undefined,
  ) {
    const advice = ADVICE[kind ?? ""];
    super(`could not ${action}: the Director answers: ${message}${advice === undefined ? "" : `; ${advice}`}`);
  }

  /** True for errors of the Director itself, which may be transient. */
  get passing(): boolean {
    return this.kind === "InternalError" || this.kind === "UnknownError";
  }

  /** True if the runtime, or its whole tenant, does not exist. */
  get gone(): boolean {
    return this.kind === "NotFound" || this.kind === "TenantNotFound";
  }
}

/**
 * The Director, or its token issuer, is unreachable or sent no usable response. The request may have been executed or
 * not.
 */
export class DirectorUnreachable extends Error {
  override readonly name = "DirectorUnreachable";

  constructor(
    message: string,
    readonly passing: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Converts the first error of a GraphQL response. */
export function directorError(action: string, error: unknown): DirectorError {
  const { message, extensions } = (error ?? {}) as { message?: unknown; extensions?: { error_code?: unknown } };
  const code = Number(extensions?.error_code);
  return new DirectorError(action, typeof message === "string" ? message : "an error without a message", KINDS[code]);
}

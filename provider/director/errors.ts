/** What a Director refuses, by the numbers that it gives its errors. */

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

/** The Director was asked and refused. */
export class DirectorError extends Error {
  override readonly name = "DirectorError";

  constructor(
    action: string,
    message: string,
    /** Undefined for a number that is not known here, or none. */
    readonly kind: string | undefined,
  ) {
    const advice = ADVICE[kind ?? ""];
    super(`could not ${action}: the Director answers: ${message}${advice === undefined ? "" : `; ${advice}`}`);
  }

  /** Its own trouble, which may pass. */
  get passing(): boolean {
    return this.kind === "InternalError" || this.kind === "UnknownError";
  }

  /** The runtime, or the tenant with all its runtimes, is not there. */
  get gone(): boolean {
    return this.kind === "NotFound" || this.kind === "TenantNotFound";
  }
}

/** The Director, or who issues its tokens, was not reached or gave no usable answer: what was requested may have been done or not. */
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

/** From the first error of a GraphQL answer. */
export function directorError(action: string, error: unknown): DirectorError {
  const { message, extensions } = (error ?? {}) as { message?: unknown; extensions?: { error_code?: unknown } };
  const code = Number(extensions?.error_code);
  return new DirectorError(action, typeof message === "string" ? message : "an error without a message", KINDS[code]);
}

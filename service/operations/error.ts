import type { StoredError } from "../database/tables";

/** Errors of the caller. */
export const CALLER_CODES = ["BAD_INPUT", "NOT_FOUND", "CONFLICT", "FORBIDDEN", "QUOTA_EXCEEDED", "PROTECTED"] as const;
/** Errors of the service or of its dependencies. */
export const SERVICE_CODES = ["INTERNAL", "UNAVAILABLE", "TIMEOUT", "PROVISIONING_FAILED", "CANCELED"] as const;

/** True if the operation failed because its request was invalid. */
export const isRefusal = (error: Pick<StoredError, "code"> | null | undefined): boolean =>
  (CALLER_CODES as readonly string[]).includes(error?.code ?? "");

export type ErrorCode = (typeof CALLER_CODES)[number] | (typeof SERVICE_CODES)[number];

export interface ErrorDetails {
  /** What went wrong, in text for users. */
  readonly reason: string;
  /** Component that reports the error: operations, engine, database, … */
  readonly component?: string;
  /** Path of the invalid field in the input. */
  readonly path?: string;
  /** How to fix it. */
  readonly advice?: string;
  /** Whether a retry may succeed. */
  readonly retryable?: boolean;
}

/** An error that the API returns as it is. Contains no secrets. */
export class OperationError extends Error {
  readonly reason: string;
  readonly component: string;
  readonly path?: string;
  readonly advice?: string;
  readonly retryable: boolean;

  constructor(
    readonly code: ErrorCode,
    {
      reason,
      component = "operations",
      path,
      advice,
      retryable = code === "UNAVAILABLE" || code === "TIMEOUT",
    }: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = "OperationError";
    this.reason = reason;
    this.component = component;
    this.path = path;
    this.advice = advice;
    this.retryable = retryable;
  }

  /** Whether the caller can fix it. */
  get isCallers(): boolean {
    return isRefusal(this);
  }

  /** Returns the error in its stored form. */
  stored(): StoredError {
    const { code, reason, component, path, advice, retryable } = this;
    return { code, reason, component, retryable, ...(path && { path }), ...(advice && { advice }) };
  }
}

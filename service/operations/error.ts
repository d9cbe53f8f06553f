import type { StoredError } from "../database/tables";

/** The caller's own affair. */
export const CALLER_CODES = ["BAD_INPUT", "NOT_FOUND", "CONFLICT", "FORBIDDEN", "QUOTA_EXCEEDED", "PROTECTED"] as const;
/** Ours, or that of what we stand on. */
export const SERVICE_CODES = ["INTERNAL", "UNAVAILABLE", "TIMEOUT", "PROVISIONING_FAILED", "CANCELED"] as const;

/** Whether an operation ended because its request was wrong. */
export const isRefusal = (error: Pick<StoredError, "code"> | null | undefined): boolean =>
  (CALLER_CODES as readonly string[]).includes(error?.code ?? "");

export type ErrorCode = (typeof CALLER_CODES)[number] | (typeof SERVICE_CODES)[number];

export interface ErrorDetails {
  /** What went wrong, for a user. */
  readonly reason: string;
  /** Who says so: operations, engine, database, … */
  readonly component?: string;
  /** Where in the input. */
  readonly path?: string;
  /** What to do. */
  readonly advice?: string;
  /** Whether the same may work another time. */
  readonly retryable?: boolean;
}

/** An error that the API shows as it is; nothing in it is secret. */
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

  /** Whether the caller can do something about it. */
  get isCallers(): boolean {
    return isRefusal(this);
  }

  /** As the database keeps it. */
  stored(): StoredError {
    const { code, reason, component, path, advice, retryable } = this;
    return { code, reason, component, retryable, ...(path && { path }), ...(advice && { advice }) };
  }
}

/** Decides whether to retry a request, and after which delay. */

import { ApiError, UnreachableError } from "./apiError";

/** Maximum number of attempts, regardless of patience. */
const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Milliseconds to wait before attempt number `attempt` + 1; undefined to give up. Only for idempotent requests. The
 * server's Retry-After takes precedence over the backoff.
 */
export function delayBefore(
  error: unknown,
  attempt: number,
  spentMs: number,
  patienceMs: number,
  random: () => number = Math.random,
): number | undefined {
  if (attempt >= MAX_ATTEMPTS || !isPassing(error)) return undefined;
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.75 + random() / 2);
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const delay = Math.max(backoff, asked);
  return spentMs + delay > patienceMs ? undefined : delay;
}

function isPassing(error: unknown): boolean {
  if (error instanceof UnreachableError) return error.passing;
  if (!(error instanceof ApiError)) return false;
  return error.code === 429 || error.code >= 500;
}

/** Parses a Retry-After header, which is a number of seconds or a date. Returns seconds. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

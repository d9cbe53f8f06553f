/** When a request is worth another try, and how long to wait before it. */

import { ApiError, UnreachableError } from "./apiError";

/** Attempts in all, however long one is willing to wait. */
const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/**
 * Milliseconds to wait before attempt number `attempt` + 1, undefined to give up. Only for requests that may be
 * repeated. What the server asks for (Retry-After) goes before our own backoff.
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

/** Seconds of a Retry-After header, which is a number or a date. */
export function retryAfterSeconds(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

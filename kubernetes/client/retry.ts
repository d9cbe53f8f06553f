/** Decides whether to retry a request, and after which delay. */

import { backOff, type BackOff } from "../../foundation/backOff";
import { ApiError, UnreachableError } from "./apiError";

/** Maximum number of attempts, regardless of patience. */
const MAX_ATTEMPTS = 8;
const DELAYS: BackOff = { firstMs: 150, mostMs: 6_000 };

/**
 * Milliseconds to wait before attempt number `attempt` + 1; undefined to give up. Only for idempotent requests. The
 * server's Retry-After takes precedence over the back-off.
 */
export function delayBefore(
  error: unknown,
  attempt: number,
  spentMs: number,
  patienceMs: number,
  chance?: () => number,
): number | undefined {
  if (attempt >= MAX_ATTEMPTS || !isPassing(error)) return undefined;
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const delay = Math.max(backOff(attempt, DELAYS, chance), asked);
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

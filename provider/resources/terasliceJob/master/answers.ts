/** Interprets responses and errors of a master. */

import { ApiError, UnreachableError } from "../../../../kubernetes/client/apiError";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/**
 * True if the API server's proxy responded because it could not reach a master: errors of a master have no such reason.
 */
export const isProxys = (error: ApiError): boolean => error.reason !== "";

/** True if the request was sent but timed out: a master that resolves assets continues with it. */
export const isLate = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.late) || (error instanceof ApiError && error.code === 504);

/** True if the request may or may not have been executed. */
export const isUncertain = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.passing) || (error instanceof ApiError && error.code >= 500);

/**
 * True if the master rejected the request, for invalid jobs with status 500 and a message. A retry would fail again.
 */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 500 &&
  !isProxys(error) &&
  !/with an empty response|"message":\s*""/.test(error.message);

/** True if the job, execution or asset does not exist. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && !isProxys(error) && (error.code === 404 || error.code === 410);

/** True if no working master answered: it is down, it hangs, or it lost its stores. */
export const isSilence = (error: unknown): boolean =>
  isLate(error) || (error instanceof ApiError && (error.code >= 500 || (error.code === 404 && isProxys(error))));

/** While it starts, a master responds to every request with success and this text. */
export const isStarting = (text: string): boolean => /^\s*\{\s*"error":\s*"api is not available"\s*\}\s*$/.test(text);

export function objectOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected an object`);
  return value;
}

export function parseList(text: string): Json[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected a list`);
  return value.filter(isObject);
}

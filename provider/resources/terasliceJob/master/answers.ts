/** What an answer of a master, or none, says about the request. */

import { ApiError, UnreachableError } from "../../../../kubernetes/client/apiError";
import { isObject, type Json } from "../../../../foundation/json/isObject";

/** The answer is the API server's own, which did not reach a master: a master gives its errors no such reason. */
export const isProxys = (error: ApiError): boolean => error.reason !== "";

/** It was sent, and nobody answered in time: a master that looks for assets continues with it. */
export const isLate = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.late) || (error instanceof ApiError && error.code === 504);

/** Nobody knows whether the request was carried out. */
export const isUncertain = (error: unknown): boolean =>
  (error instanceof UnreachableError && error.passing) || (error instanceof ApiError && error.code >= 500);

/** A master answers 500 with words of its own also to a job that it does not take: another try is as wrong. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 500 &&
  !isProxys(error) &&
  !/with an empty response|"message":\s*""/.test(error.message);

/** The job, execution or asset is not there. */
export const isGone = (error: unknown): boolean =>
  error instanceof ApiError && !isProxys(error) && (error.code === 404 || error.code === 410);

/** No master answers, or none that could do anything: it does not run, it hangs, or it lost its stores. */
export const isSilence = (error: unknown): boolean =>
  isLate(error) || (error instanceof ApiError && (error.code >= 500 || (error.code === 404 && isProxys(error))));

/** A master that starts answers everything with a success of these words. */
export const isStarting = (text: string): boolean => /^\s*\{\s*"error":\s*"api is not available"\s*\}\s*$/.test(text);

export function objectOf(text: string): Json {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected an object`);
  return value;
}

/** What an answer holds that may also be words, as that to another number of workers is in some versions. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

export function listOf(text: string): Json[] {
  const value: unknown = JSON.parse(text);
  if (!Array.isArray(value)) throw new Error(`the master answered ${text.slice(0, 80)}; expected a list`);
  return value.filter(isObject);
}

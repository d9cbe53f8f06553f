/** Bounds the time of work that another user wrote. */

import { createContext, Script, type Context } from "node:vm";

let context: Context | undefined;
let script: Script | undefined;

export class TookTooLong extends Error {}

/**
 * Ends work when its time is over, wherever it is, also during a regular expression: the engine stops what a
 * script called. Throws {@link TookTooLong}.
 */
export function bounded<T>(milliseconds: number, work: () => T): T {
  context ??= createContext({});
  script ??= new Script("work()");
  context["work"] = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (error) {
    // It comes from the other context, so it is no Error of ours.
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new TookTooLong(`it takes more than ${milliseconds / 1000} s`);
  } finally {
    context["work"] = undefined;
  }
}

/** Limits the run time of third-party code. */

import { createContext, Script, type Context } from "node:vm";

let context: Context | undefined;
let script: Script | undefined;

export class RuleTimeout extends Error {}

/**
 * Aborts work at its time limit, wherever it is, even in a regular expression: V8 interrupts scripts. Throws
 * {@link RuleTimeout}.
 */
export function bounded<T>(milliseconds: number, work: () => T): T {
  context ??= createContext({});
  script ??= new Script("work()");
  context["work"] = work;
  try {
    return script.runInContext(context, { timeout: milliseconds }) as T;
  } catch (error) {
    // The error comes from the other context, so `instanceof Error` is false.
    if ((error as { code?: unknown } | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new RuleTimeout(`it takes more than ${milliseconds / 1000} s`);
  } finally {
    context["work"] = undefined;
  }
}

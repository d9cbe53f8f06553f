/** Rules of an object's own for when it is ready and when it has failed, as its annotations have them. */

import { FormatError, type Fault } from "../errors";
import type { BundleObject } from "../format/format";
import type { KubeObject } from "../../kubernetes/client/objects";
import { parseJsonPath } from "./jsonPath";
import { RuleFault, SHAPES, type Rule } from "./ruleKind";

/** Holds when the object is ready. Without it its kind and its conditions say so. */
export const READY_WHEN = "stackyard.dev/ready-when";
/** Holds when the object won't become ready without a change: nothing waits for it any longer. */
export const FAILED_WHEN = "stackyard.dev/failed-when";

export interface Rules {
  readonly ready?: Rule;
  readonly failed?: Rule;
}

/** The rules of an object, and what is wrong with those that can't be read. Undefined for one that has none. */
export async function rulesOf(object: KubeObject): Promise<{ rules: Rules; faults: string[] } | undefined> {
  const { [READY_WHEN]: ready, [FAILED_WHEN]: failed } = object.metadata.annotations ?? {};
  if (ready === undefined && failed === undefined) return undefined;
  const faults: string[] = [];
  const read = async (annotation: string, text: unknown): Promise<Rule | undefined> => {
    if (text === undefined) return undefined;
    try {
      return await parseRule(text);
    } catch (error) {
      if (!(error instanceof RuleFault)) throw error;
      faults.push(`${annotation}: ${error.message}`);
      return undefined;
    }
  };
  return { rules: { ready: await read(READY_WHEN, ready), failed: await read(FAILED_WHEN, failed) }, faults };
}

async function parseRule(text: unknown): Promise<Rule> {
  if (typeof text !== "string") throw new RuleFault(`found ${JSON.stringify(text)}; expected a text: ${SHAPES}`);
  if (text.trimStart().startsWith("{")) return parseJsonPath(text.trim());
  // Few bundles have such rules, so most never load what reads them.
  const { parseCel } = await import("./cel.js");
  return parseCel(text);
}

/** Throws with every rule of a bundle that can't be read. */
export async function checkRules(objects: readonly BundleObject[], format: string): Promise<void> {
  const faults: Fault[] = [];
  for (const { object, file, document, line } of objects) {
    const found = await rulesOf(object);
    for (const what of found?.faults ?? []) faults.push({ file, document, line, what });
  }
  if (faults.length > 0) throw new FormatError(format, faults);
}

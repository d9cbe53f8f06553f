/** An object's own rules for readiness and failure, from its annotations. */

import { FormatError, type BundleFault } from "../errors";
import type { BundleObject } from "../format/format";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { parseJsonPath } from "./jsonPath";
import { RuleFault, SHAPES, type ObjectRule } from "./ruleKind";

/** True when the object is ready. Without it, its kind and its conditions decide. */
export const READY_WHEN = "stackyard.dev/ready-when";
/** True when the object can't become ready without a change; waiting then ends. */
export const FAILED_WHEN = "stackyard.dev/failed-when";

export interface Rules {
  readonly ready?: ObjectRule;
  readonly failed?: ObjectRule;
}

/** Returns the rules of an object and the faults of invalid rules. Undefined if it has none. */
export async function rulesOf(object: KubeObject): Promise<{ rules: Rules; faults: string[] } | undefined> {
  const { [READY_WHEN]: ready, [FAILED_WHEN]: failed } = object.metadata.annotations ?? {};
  if (ready === undefined && failed === undefined) return undefined;
  const faults: string[] = [];
  const read = async (annotation: string, text: unknown): Promise<ObjectRule | undefined> => {
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

async function parseRule(text: unknown): Promise<ObjectRule> {
  if (typeof text !== "string") throw new RuleFault(`found ${JSON.stringify(text)}; expected a text: ${SHAPES}`);
  if (text.trimStart().startsWith("{")) return parseJsonPath(text.trim());
  // Loaded on demand, because few bundles have such rules.
  const { parseCel } = await import("./cel.js");
  return parseCel(text);
}

/** Throws all invalid rules of a bundle. */
export async function checkRules(objects: readonly BundleObject[], format: string): Promise<void> {
  const faults: BundleFault[] = [];
  for (const { object, file, document, line } of objects) {
    const found = await rulesOf(object);
    for (const what of found?.faults ?? []) faults.push({ file, document, line, what });
  }
  if (faults.length > 0) throw new FormatError(format, faults);
}

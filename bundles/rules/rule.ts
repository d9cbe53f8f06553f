/** An object's own rules for readiness and failure, from its annotations. */

import { isObject } from "../../foundation/json/isObject";
import { FormatError, type BundleFault } from "../errors";
import type { BundleObject } from "../format/format";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { RuleFault, SHAPES, type ObjectRule } from "./ruleKind";
import { shownText } from "./shown";

/**
 * Rules in the syntax of `kubectl wait --for=jsonpath=…`: `{.status.phase}=Running`. Our own parser, because kubectl
 * has its own dialect: Node.js libraries read others, without braces, and run filters as programs.
 */
type Pick = (value: unknown) => unknown[];

const STEPS = "[0], ['a.key'], [*] and [?(@.type==\"Ready\")] are steps too";

function parseJsonPath(text: string): ObjectRule {
  const [, inner, , value] = /^\{(.+?)\}(=(.*))?$/s.exec(text) ?? [];
  if (inner === undefined) throw new RuleFault(`found ${JSON.stringify(text)}; expected ${SHAPES}; ${STEPS}`);
  const steps = stepsOf(inner, text);
  return {
    judge(live) {
      const found = steps.reduce<unknown[]>((values, step) => values.flatMap(step), [live]).map(textOf);
      const holds =
        // Without an expected value, any non-empty value matches.
        value === undefined ? found.some((one) => one !== "") : found.length > 0 && found.every((one) => one === value);
      const expected = value === undefined || holds ? "" : `, and is to be ${value}`;
      return { holds, found: `${inner} is ${shownText(live, found.join(", "))}${expected}` };
    },
  };
}

function stepsOf(inner: string, text: string): Pick[] {
  const steps: Pick[] = [];
  const grammar =
    /\.(?<key>[\w-]+(?:\\\.[\w-]+)*)|\[(?<index>-?\d+)\]|\[(?<all>\*)\]|\[(['"])(?<quoted>.*?)\4\]|\[\?\(@\.(?<field>[\w.-]+)\s*==\s*(['"])(?<equal>.*?)\7\)\]/y;
  while (grammar.lastIndex < inner.length) {
    const at = grammar.lastIndex;
    const groups = grammar.exec(inner)?.groups;
    if (!groups) {
      const rest = JSON.stringify(inner.slice(at));
      throw new RuleFault(`found ${rest} in ${JSON.stringify(text)}; expected ${SHAPES}; ${STEPS}`);
    }
    steps.push(stepOf(groups));
  }
  return steps;
}

function stepOf({ key, index, all, quoted, field, equal }: Record<string, string | undefined>): Pick {
  const name = key?.replaceAll("\\.", ".") ?? quoted;
  if (name !== undefined) return (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
  const items = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
  if (all !== undefined) return (value) => (isObject(value) ? Object.values(value) : items(value));
  if (index !== undefined) return (value) => items(value).slice(Number(index)).slice(0, 1);
  const path = (field ?? "").split(".");
  const read = (value: unknown): unknown =>
    path.reduce<unknown>((each, part) => (isObject(each) ? each[part] : undefined), value);
  return (value) => items(value).filter((one) => textOf(read(one)) === equal);
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

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
  return (await import("./cel.js")).parseCel(text);
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

/**
 * Rules in the syntax of `kubectl wait --for=jsonpath=…`: `{.status.phase}=Running`. Our own parser, because kubectl
 * has its own dialect: Node.js libraries read others, without braces, and run filters as programs.
 */

import { RuleFault, SHAPES, type ObjectRule } from "./ruleKind";
import { shownText } from "./shown";
import { isObject } from "../../foundation/json/isObject";

type Pick = (value: unknown) => unknown[];

const STEPS = "[0], ['a.key'], [*] and [?(@.type==\"Ready\")] are steps too";

export function parseJsonPath(text: string): ObjectRule {
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

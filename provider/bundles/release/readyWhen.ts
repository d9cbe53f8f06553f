/** A rule of the object's own for when it is ready, as `kubectl wait --for=jsonpath=…` spells it: `{.status.phase}=Running`. */

import { isObject } from "../../kubernetes/objects";
import type { KubeObject } from "../../kubernetes/objects";
import { DONE, waiting } from "../../manifests/ready/state";
import type { Rollout } from "../../manifests/ready/state";

export const READY_WHEN = "stackyard.dev/ready-when";

type Pick = (value: unknown) => unknown[];

interface Rule {
  readonly path: string;
  readonly steps: readonly Pick[];
  /** Left out: anything but nothing will do. */
  readonly value: string | undefined;
}

const SHAPE = "{.path.to.field}=value, with [0], ['a.key'], [*] and [?(@.type==\"Ready\")] as steps too";

/** What the rule of an object says now; undefined for one that has none. Throws for a rule that can't be read. */
export function readyWhen(live: KubeObject): Rollout | undefined {
  const text = live.metadata.annotations?.[READY_WHEN];
  if (text === undefined) return undefined;
  const { path, steps, value } = parseRule(text);
  const found = steps.reduce<unknown[]>((values, step) => values.flatMap(step), [live]);
  const shown = found.map(textOf);
  const done =
    value === undefined ? shown.some((one) => one !== "") : shown.length > 0 && shown.every((one) => one === value);
  if (done) return DONE;
  const has = shown.length === 0 ? "nothing" : shown.join(", ").slice(0, 200) || "nothing";
  return waiting(`${path} is ${has}${value === undefined ? "" : `, and is to be ${value}`}`);
}

export function parseRule(text: string): Rule {
  const [, inner, , value] = /^\{(.+?)\}(=(.*))?$/s.exec(text) ?? [];
  if (inner === undefined) throw new Error(`${READY_WHEN}: found ${JSON.stringify(text)}; expected ${SHAPE}`);
  const steps: Pick[] = [];
  const grammar =
    /\.(?<key>[\w-]+(?:\\\.[\w-]+)*)|\[(?<index>-?\d+)\]|\[(?<all>\*)\]|\[(['"])(?<quoted>.*?)\4\]|\[\?\(@\.(?<field>[\w.-]+)\s*==\s*(['"])(?<equal>.*?)\7\)\]/y;
  while (grammar.lastIndex < inner.length) {
    const at = grammar.lastIndex;
    const groups = grammar.exec(inner)?.groups;
    if (!groups) {
      throw new Error(
        `${READY_WHEN}: found ${JSON.stringify(inner.slice(at))} in ${JSON.stringify(text)}; expected ${SHAPE}`,
      );
    }
    steps.push(stepOf(groups));
  }
  return { path: inner, steps, value };
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

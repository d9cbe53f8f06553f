/** Compares a live object with its planned version, field by field. Pure. */

import { isDeepStrictEqual } from "node:util";
import { withoutOwnerId } from "../identity/ownerId";
import { isList, without, type KubeObject } from "../objects/objects";
import { isObject, type Json } from "../../foundation/json/isObject";

export interface FieldChange {
  /** `spec.template.spec.containers[main].image`. */
  readonly path: string;
  /** `"a" → "b"`, `+ "b"`, `- "a"`, of a list `- "a", + "b"`; for a Secret only that the value changes. */
  readonly words: string;
}

const LONGEST = 80;
/** A rule of a role is longer than most values. */
const LONGEST_ITEM = 240;
const MOST_ITEMS = 5;
const HIDDEN = "(hidden)";

/** Both objects come from the API server, so both include defaults. Skips its own metadata; `hide` masks more texts. */
export function fieldChanges(live: KubeObject, next: KubeObject, hide = (text: string) => text): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(comparable(live), comparable(next), "", { secret: live.kind === "Secret", hide, changes });
  return changes;
}

function comparable(object: KubeObject): Json {
  const own = ["managedFields", "resourceVersion", "generation", "creationTimestamp", "uid", "selfLink"];
  return { ...without(object, "status"), metadata: without(withoutOwnerId(object).metadata, ...own) };
}

interface Reporting {
  readonly secret: boolean;
  readonly hide: (text: string) => string;
  readonly changes: FieldChange[];
}

function compare(old: unknown, next: unknown, path: string, reporting: Reporting): void {
  if (isDeepStrictEqual(old, next)) return;
  if (isObject(old) && isObject(next)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
      compare(old[key], next[key], segment(path, key), reporting);
    }
    return;
  }
  if (isList(old) && isList(next) && areNamed(old) && areNamed(next)) {
    const names = new Set([...old, ...next].map((item) => item.name));
    for (const name of names) compare(named(old, name), named(next, name), `${path}[${name}]`, reporting);
    return;
  }
  const { secret, hide, changes } = reporting;
  changes.push({ path, words: words(old, next, secret && isHidden(path), hide) });
}

/** Type, labels and the like of a Secret may be shown; its data, and copies of it in annotations, must not. */
const isHidden = (path: string): boolean => /^(data|stringData|metadata\.annotations)\b/.test(path);

interface Named {
  readonly name: string;
}

/** Whether all items have names. */
function areNamed(items: readonly unknown[]): items is readonly Named[] {
  const names = items.map((item) => (isObject(item) ? item["name"] : undefined));
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
}

const named = (items: readonly Named[], name: string): unknown => items.find((item) => item.name === name);

function segment(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function words(old: unknown, next: unknown, hidden: boolean, hide: (text: string) => string): string {
  const show = (value: unknown): string => (hidden ? HIDDEN : shown(JSON.stringify(value), hide, LONGEST));
  if (!hidden && isList(old) && isList(next)) {
    const items = itemWords(old, next, hide);
    if (items.length > 0) return items.join(", ");
  }
  if (old === undefined) return `+ ${show(next)}`;
  if (next === undefined) return `- ${show(old)}`;
  return hidden ? `${HIDDEN} → another one` : `${show(old)} → ${show(next)}`;
}

/** The items that go and come; empty if only their order or number changes. */
function itemWords(old: readonly unknown[], next: readonly unknown[], hide: (text: string) => string): string[] {
  const [before, after] = [old, next].map((items) => new Set(items.map((item) => JSON.stringify(item))));
  const lines = (sign: string, items: ReadonlySet<string> = new Set(), others: ReadonlySet<string> = new Set()) => {
    const own = [...items].filter((item) => !others.has(item));
    const more = own.length > MOST_ITEMS ? [`${sign} ${own.length - MOST_ITEMS} more`] : [];
    return [...own.slice(0, MOST_ITEMS).map((item) => `${sign} ${shown(item, hide, LONGEST_ITEM)}`), ...more];
  };
  return [...lines("-", before, after), ...lines("+", after, before)];
}

/** Hides before it truncates, or a part of a secret could remain. */
function shown(json: string, hide: (text: string) => string, longest: number): string {
  const text = hide(json);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

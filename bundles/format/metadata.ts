/** Normalizes labels, annotations and namespaces of objects as the API server does. */

import { without, type KubeObject, type Metadata } from "../../kubernetes/objects/objects";
import { valueKind } from "./documents";
import { isObject, type Json } from "../../foundation/json/isObject";

const MAPS = ["labels", "annotations"] as const;

/** Labels and annotations that the API server would reject. */
export function mapFaults({ kind, metadata }: KubeObject): string[] {
  return MAPS.flatMap((key) => {
    const map: unknown = metadata[key] ?? {};
    const path = `${kind} ${metadata.name}: metadata.${key}`;
    if (!isObject(map)) return [`${path}: found ${valueKind(map)}; expected an object of texts`];
    const wrong = Object.entries(map).filter(([, value]) => typeof value !== "string" && value !== null);
    return wrong.map(([name, value]) => `${path}["${name}"]: found ${valueKind(value)}; expected a text, in quotes`);
  });
}

/**
 * Removes an empty namespace, labels or annotations, and replaces an empty value of a label or annotation by an empty
 * text. Drops values that are not texts, even if {@link mapFaults} reports them.
 */
export function settled(object: KubeObject): KubeObject {
  const { metadata } = object;
  const none = ["namespace", ...MAPS].filter((key) => key in metadata && isNothing(metadata[key]));
  const maps = MAPS.filter((key) => !none.includes(key) && key in metadata && !holdsTexts(metadata[key]));
  if (none.length === 0 && maps.length === 0) return object;
  const texts = Object.fromEntries(maps.map((key) => [key, textsIn(metadata[key])]));
  return { ...object, metadata: { ...without(metadata, ...none), ...texts } as Metadata };
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === "";

const holdsTexts = (map: unknown): boolean =>
  isObject(map) && Object.values(map).every((value) => typeof value === "string");

const textsIn = (map: unknown): Json =>
  Object.fromEntries(
    Object.entries(isObject(map) ? map : {}).flatMap(([key, value]) =>
      value === null ? [[key, ""]] : typeof value === "string" ? [[key, value]] : [],
    ),
  );

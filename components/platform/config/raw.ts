import { jsonOrText } from "../../../foundation/json/isObject";
import type { RawConfig } from "./decodeConfig";
import { TEXT_KEYS } from "./schema";

const NAMESPACE = "stackyard:";

/** All config of the namespace, so that unknown keys are found. `all`: values as text, by full key. */
export function rawConfig(
  all: Readonly<Record<string, string>>,
  stack: string,
  isSecret: (key: string) => boolean,
): RawConfig {
  const keys = Object.keys(all).filter((key) => key.startsWith(NAMESPACE));
  const short = (key: string): string => key.slice(NAMESPACE.length);
  return {
    values: Object.fromEntries(keys.map((key) => [short(key), parsed(short(key), all[key] ?? "")])),
    stack,
    allKeys: Object.keys(all),
    secretKeys: new Set(keys.filter(isSecret).map(short)),
  };
}

/** Pulumi passes objects as JSON. The schema rejects what can't be parsed. */
const parsed = (key: string, value: string): unknown => (TEXT_KEYS.has(key) ? value : jsonOrText(value));

import { isObject } from "../../foundation/json/isObject";
import { mergeValues, type Values } from "../../foundation/json/merge";
import type { ValueSettings } from "./settings";

/** Values of a release. `secretValues` are merged over `values`. */
interface SharedValues {
  readonly values?: Record<string, unknown>;
  readonly secretValues?: Record<string, unknown>;
}

/** Merges the instance's values over the bundle's, and keeps potential secrets separate. */
export function shareValues(bundle: ValueSettings | undefined, instance: ValueSettings | undefined): SharedValues {
  const under: Values = bundle?.values ?? {};
  const over: Values = instance?.values ?? {};
  if (bundle?.secret) return shared(divide(mergeValues(under, over)));
  const { open, texts } = instance?.secret ? divide(over) : { open: over, texts: {} };
  return shared({ open: mergeValues(under, open), texts });
}

interface Divided {
  readonly open: Record<string, unknown>;
  readonly texts: Record<string, unknown>;
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const shared = ({ open, texts }: Divided): SharedValues => ({
  ...(!isEmpty(open) && { values: open }),
  ...(!isEmpty(texts) && { secretValues: texts }),
});

/**
 * Separates strings from other values, because only strings can be secret in a stack's config. Does not split lists.
 */
function divide(values: Values): Divided {
  const open: [string, unknown][] = [];
  const texts: [string, unknown][] = [];
  for (const [key, value] of Object.entries(values)) {
    if (!isObject(value) || isEmpty(value)) {
      (hasText(value) ? texts : open).push([key, value]);
      continue;
    }
    const inner = divide(value);
    if (!isEmpty(inner.open)) open.push([key, inner.open]);
    if (!isEmpty(inner.texts)) texts.push([key, inner.texts]);
  }
  // Avoids assignment by key, because a key may be `__proto__`.
  return { open: Object.fromEntries(open), texts: Object.fromEntries(texts) };
}

const hasText = (value: unknown): boolean =>
  typeof value === "string" || (typeof value === "object" && value !== null && Object.values(value).some(hasText));

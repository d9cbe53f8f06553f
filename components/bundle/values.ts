import { mergeValues, type Values } from "../charts/merge";
import type { ValueSettings } from "./settings";

/** Values of a release, and what of them is secret, which is laid over the others. */
export interface SharedValues {
  readonly values?: Record<string, unknown>;
  readonly secretValues?: Record<string, unknown>;
}

/** The instance's laid over the bundle's; what is secret stays apart as far as that is possible. */
export function shareValues(bundle: ValueSettings | undefined, instance: ValueSettings | undefined): SharedValues {
  const [under, over]: readonly Values[] = [bundle?.values ?? {}, instance?.values ?? {}];
  if (!instance?.secret || bundle?.secret === true) {
    const all = mergeValues(under ?? {}, over ?? {});
    if (Object.keys(all).length === 0) return {};
    return bundle?.secret === true ? { secretValues: all } : { values: all };
  }
  return { ...(bundle && { values: { ...under } }), secretValues: { ...over } };
}

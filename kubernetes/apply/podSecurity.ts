/** Withholds a Pod Security level that running pods of a namespace violate. Pure. */

import { isCore, without, type KubeObject } from "../objects/objects";

const ENFORCE = "pod-security.kubernetes.io/enforce";
/** Warning of the API server if running pods violate the new level. One line per violation follows. */
const VIOLATED = /^existing pods in namespace .* violate the new PodSecurity enforce level/;

export const enforcedLevel = (object: KubeObject): string | undefined =>
  isCore(object, "Namespace") ? object.metadata.labels?.[ENFORCE] : undefined;

/** A namespace with the Pod Security level that can be enforced now, and a message that explains it. */
interface EnforceableNamespace {
  readonly object: KubeObject;
  readonly message: string;
}

/**
 * Running pods continue under any level, but could not be replaced: the next node restart would stop them. Therefore a
 * level that they violate is not enforced yet, while `warn` and `audit` are. Undefined if there is no violation.
 */
export function withheldLevel(
  object: KubeObject,
  live: KubeObject | undefined,
  warnings: readonly string[],
): EnforceableNamespace | undefined {
  const level = enforcedLevel(object);
  const at = warnings.findIndex((warning) => VIOLATED.test(warning));
  if (level === undefined || at < 0) return undefined;
  const present = live && enforcedLevel(live);
  const labels = without(object.metadata.labels ?? {}, ENFORCE) as Record<string, string>;
  const kept = present === undefined ? labels : { ...labels, [ENFORCE]: present };
  const pods = warnings.slice(at + 1).join("; ");
  const message =
    `Namespace ${object.metadata.name}: Pod Security level ${level} is not enforced yet, because pods that run in it ` +
    `violate it: ${pods}. Change their templates, or set podSecurity to a weaker level; every update tries again`;
  return { object: { ...object, metadata: { ...object.metadata, labels: kept } }, message };
}

/** The level of Pod Security that a namespace enforces, where pods run already. Pure. */

import { isCore, without, type KubeObject } from "../client/objects";

const ENFORCE = "pod-security.kubernetes.io/enforce";
/** What the API server warns of when pods run in the namespace that the level would refuse; one line for each kind of fault follows. */
const VIOLATED = /^existing pods in namespace .* violate the new PodSecurity enforce level/;

export const enforcedLevel = (object: KubeObject): string | undefined =>
  isCore(object, "Namespace") ? object.metadata.labels?.[ENFORCE] : undefined;

/** A namespace with the Pod Security level that can be enforced now, and the notes about it. */
export interface Withheld {
  readonly object: KubeObject;
  readonly message: string;
}

/**
 * Pods that run keep running under any level, but nothing would replace them: the next restart of a node would stop them.
 * So a level that they violate is not enforced yet; `warn` and `audit` are. Undefined when nothing stands against it.
 */
export function withheldLevel(
  object: KubeObject,
  live: KubeObject | undefined,
  warnings: readonly string[],
): Withheld | undefined {
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

/**
 * The instances that the engine replaces. It creates the new one first, and shows the old one only before, in the first
 * check of the same URN. The signal identifies the run: the old instance of another run proves nothing.
 */

import type { Context } from "../../foundation/pulumi/resource";

type Run = Pick<Context, "signal" | "urn">;

const shown = new WeakMap<AbortSignal, Map<string, string>>();

/** Notes the instance of an existing resource, in its check. */
export function noteInstance({ signal, urn }: Run, instance: string): void {
  const instances = shown.get(signal) ?? new Map<string, string>();
  shown.set(signal, instances.set(urn, instance));
}

/** The instance that a resource replaces, in its creation. Undefined if it is new. */
export const replacedInstance = ({ signal, urn }: Run): string | undefined => shown.get(signal)?.get(urn);

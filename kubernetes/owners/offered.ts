/**
 * What other stacks have offered to this one (`stackyard adopt`), as the program asked before it registered anything.
 * Without a change of their inputs, resources are not compared with their cluster, so that they would not take it over.
 */

import type { Context } from "../../foundation/pulumi/resource";

type Run = Pick<Context, "signal" | "urn">;

const offered = new WeakMap<AbortSignal, Set<string>>();

export function noteOffer({ signal, urn }: Run): void {
  offered.set(signal, (offered.get(signal) ?? new Set<string>()).add(urn));
}

export const isOffered = ({ signal, urn }: Run): boolean => offered.get(signal)?.has(urn) === true;

/** What a release claims to own, by its state, and which release it replaces. */

import type { Context } from "../../../../foundation/pulumi/resource";
import { stackOf, type Claimant, type Located } from "../../../../kubernetes/owners/record";
import type { ReleaseState } from "../inputs";

type Earlier = Pick<ReleaseState, "generation" | "interrupted">;

/** `ownerId`: undefined in the preview of a new release, which has no `state` either. */
export const releaseClaimant = (
  context: Located,
  ownerId: string | undefined,
  state: Earlier | undefined,
): Claimant => ({
  ...stackOf(context),
  owner: ownerId,
  generation: state?.generation ?? 0,
  ...(state?.interrupted && { interrupted: true }),
});

type Run = Pick<Context, "signal" | "urn">;

/** A release that the engine may replace. */
interface Predecessor {
  /** `<namespace>/<name>`. */
  readonly place: string;
  /** Undefined if only the inputs were shown. */
  readonly claimant?: Claimant;
}

/**
 * The engine creates the new release first, and shows the old one only before: its inputs in the check, and its state in
 * the diff, which a forced replacement skips. The signal identifies the run: an old release of another run proves
 * nothing.
 */
const shown = new WeakMap<AbortSignal, Map<string, Predecessor>>();

export function notePredecessor({ signal, urn }: Run, predecessor: Predecessor): void {
  const all = shown.get(signal) ?? new Map<string, Predecessor>();
  shown.set(signal, all.set(urn, predecessor));
}

/** Undefined if the resource is new. */
export const predecessorOf = ({ signal, urn }: Run): Predecessor | undefined => shown.get(signal)?.get(urn);

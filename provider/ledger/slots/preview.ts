/** Predicts allocations, with the errors that they would end with. Changes nothing. */

import { withLedger, type LedgerOptions } from "../database";
import { noRoom, unknownPool, UnknownPoolError } from "../messages";
import { candidates, growth, readView, placement, requireSlots, unlessUnknown, type Placement } from "./view";
import type { WantedSlots } from "../wanted";

/** A move of a deployment to another host. */
export interface Move {
  readonly from: string;
  /** The best host at this moment. */
  readonly to: string;
  /** Whether the reason is that the host is drained. */
  readonly drained: boolean;
}

export interface AllocationPreview {
  /** Undefined if the host is only decided when the slots are allocated. */
  readonly placement?: Placement;
  readonly move?: Move;
  /** Why the allocation may fail if nothing changes until then. */
  readonly warning?: string;
}

/**
 * Predicts the result of `allocate`, with the same errors. An unknown pool is only a warning: the same update may create
 * it.
 */
export async function previewAllocation(
  url: string,
  wanted: WantedSlots,
  options: LedgerOptions = {},
): Promise<AllocationPreview> {
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    const view = empty ? unknownPool(wanted.pool, []) : await readView(client, wanted).catch(unlessUnknown);
    if (view instanceof UnknownPoolError) return { warning: view.message };
    requireSlots(view.present, wanted);
    const [host] = view.present
      ? growth(wanted, view, view.present)
      : candidates(wanted, view).map((candidate) => candidate.host);
    if (host === undefined) throw noRoom(wanted, view.hosts);
    const from = view.present?.host ?? wanted.lostHost;
    if (host === from) return { placement: placement(view, host, wanted.slots) };
    if (from === undefined) return {};
    return { move: { from, to: host, drained: view.hosts.some((one) => one.host === from && one.drain) } };
  });
}

/** Whether `allocate` would move the deployment although it already has the desired slots. */
export async function wouldMove(url: string, wanted: WantedSlots, options: LedgerOptions = {}): Promise<boolean> {
  if (!wanted.allowMove) return false;
  return withLedger(url, { ...options, migrate: false }, async (client, empty) => {
    const view = empty ? undefined : await readView(client, wanted).catch(unlessUnknown);
    if (view === undefined || view instanceof UnknownPoolError || !view.present) return false;
    requireSlots(view.present, wanted);
    return growth(wanted, view, view.present)[0] !== view.present.host;
  });
}

import type { RowClaimant } from "./owners/rows";

export interface WantedSlots {
  readonly pool: string;
  readonly deployment: string;
  readonly slots: number;
  /** Allow a deployment in the pool to move to another host if its own is full or drained. Default: false. */
  readonly allowMove?: boolean;
  /** Host of the deployment before its allocation was lost. It is the only candidate unless `allowMove` is set. */
  readonly lostHost?: string;
  readonly claimant: SlotsClaimant;
}

/** A resource that changes the slots of a deployment. */
export interface SlotsClaimant extends RowClaimant {
  /** The slots in its state. */
  readonly has?: { readonly host: string; readonly slots: number };
}

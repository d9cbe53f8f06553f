/** Rollout state of a live object. */
export type Rollout =
  | { readonly done: true }
  | {
      readonly done: false;
      /** Progress: `0 of 1 pods ready`. */
      readonly progress: string;
      /** Its controller has not reported on its present spec. */
      readonly unseen?: boolean;
      /** Set if it can no longer succeed. */
      readonly failed?: string;
      /** The failure may not be certain yet, so it counts only if it persists. */
      readonly doubtful?: boolean;
    };

export const DONE: Rollout = { done: true };
export const waiting = (progress: string): Rollout => ({ done: false, progress });

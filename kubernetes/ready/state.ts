/** Rollout state of a live object. */
export type Rollout =
  | { readonly done: true }
  | {
      readonly done: false;
      /** How far it is: `0 of 1 pods ready`. */
      readonly progress: string;
      /** Set if it can no longer succeed. */
      readonly failed?: string;
      /** It may have failed before the last change, which nobody has looked at yet: believed when it lasts. */
      readonly doubtful?: boolean;
    };

export const DONE: Rollout = { done: true };
export const waiting = (progress: string): Rollout => ({ done: false, progress });

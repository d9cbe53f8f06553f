/** How far a live object is. */
export type Rollout =
  | { readonly done: true }
  | {
      readonly done: false;
      /** How far it is: `0 of 1 pods ready`. */
      readonly progress: string;
      /** Set when it can't come to a good end any more. */
      readonly failed?: string;
    };

export const DONE: Rollout = { done: true };
export const waiting = (progress: string): Rollout => ({ done: false, progress });

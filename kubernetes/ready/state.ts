/** How far a live object is. */
export type Rollout =
  | { readonly done: true }
  | {
      readonly done: false;
      /** How far it is: `0 of 1 pods ready`. */
      readonly progress: string;
      /** Set when it can't come to a good end any more. */
      readonly failed?: string;
      /** It may have failed before the last change, which nobody has looked at yet: believed when it lasts. */
      readonly doubtful?: boolean;
    };

export const DONE: Rollout = { done: true };
export const waiting = (progress: string): Rollout => ({ done: false, progress });

import type { RolloutItemState } from "../database/tables";

/** The fields of an item that determine the next step. */
export interface Item {
  readonly deploymentId: string;
  readonly state: RolloutItemState;
  readonly wave: number | null;
}

/** The next step of a rollout. */
export type Step =
  | { readonly do: "begin"; readonly items: readonly string[] }
  | { readonly do: "wait" }
  | { readonly do: "end"; readonly state: "succeeded" | "failed"; readonly message: string };

/**
 * Starts the next wave when the previous one has ended without too many failures. A deployment that could not be
 * planned is not updated and counts as failed. Pure.
 */
export function nextStep(items: readonly Item[], maxFailures: number): Step {
  if (items.some(({ state }) => state === "running")) return { do: "wait" };
  const failures = items.filter(({ state }) => state === "failed" || state === "unknown").length;
  const open = items.filter(({ state }) => state === "changes");
  if (failures > maxFailures) {
    const left = open.length === 0 ? "" : `; ${open.length} were not begun`;
    return { do: "end", state: "failed", message: `${failures} failed, ${maxFailures} may${left}` };
  }
  if (open.length === 0) {
    const done = items.filter(({ state }) => state === "succeeded").length;
    return {
      do: "end",
      state: "succeeded",
      message: `${done} updated to the platform's configuration, ${failures} failed`,
    };
  }
  const wave = Math.min(...open.map((item) => item.wave ?? 0));
  return {
    do: "begin",
    items: open.filter((item) => (item.wave ?? 0) === wave).map(({ deploymentId }) => deploymentId),
  };
}

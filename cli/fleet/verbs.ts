import type { Summary } from "./summary";

/** The texts of a command on many runtimes, and which of the selected ones it affects. */
export interface FleetVerb {
  readonly name: "up" | "hibernate" | "wake" | "destroy";
  /** `deploy 3 runtimes`. */
  readonly doing: string;
  /** `acme is ready`. */
  readonly done: string;
  /** `3 runtimes ready`. */
  readonly result: string;
  /** `acme could not be deployed`. */
  readonly participle: string;
  readonly concerns: (summary: Summary) => boolean;
}

export const VERBS = {
  up: {
    name: "up",
    doing: "deploy",
    done: "is ready",
    result: "ready",
    participle: "deployed",
    concerns: () => true,
  },
  hibernate: {
    name: "hibernate",
    doing: "hibernate",
    done: "is hibernated",
    result: "hibernated",
    participle: "hibernated",
    concerns: ({ state }) => state !== "hibernated",
  },
  wake: {
    name: "wake",
    doing: "wake",
    done: "is awake",
    result: "awake",
    participle: "woken",
    concerns: ({ state }) => state === "hibernated",
  },
  destroy: {
    name: "destroy",
    doing: "destroy",
    done: "is gone",
    result: "gone",
    participle: "destroyed",
    concerns: () => true,
  },
} as const satisfies Record<string, FleetVerb>;

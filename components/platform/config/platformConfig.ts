import type { DisabledComponent } from "../../contract/decoding";
import type { PlatformBase } from "../../contract/facts";
import type { FEATURES } from "../../features";

type Parts = ReturnType<(typeof FEATURES)[number]["decode"]>;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What all features decode, and what concerns them all. */
export type PlatformConfig = PlatformBase &
  Intersection<Parts> & {
    /** Components that the config explicitly disables. */
    readonly disabled: readonly DisabledComponent[];
    /** Texts of the config that are secret. */
    readonly secrets: readonly string[];
    /** Messages for the user that are not faults. */
    readonly warnings: readonly string[];
  };

import type { Fault } from "./faults";
import type { Files } from "./files";
import type { Place } from "./issues";

/** The second half of decoding: from checked input to complete config, reading files. Faults are added to `faults`. */
export interface Resolver {
  readonly files: Files;
  readonly place: Place;
  readonly faults: Fault[];
  /** What a user should know although it is no fault. */
  readonly warnings: string[];
}

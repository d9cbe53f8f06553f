import type { Fault } from "./faults";
import type { Files } from "./files";
import type { FaultContext } from "./issues";

/** The second step of decoding: completes checked input and reads files. Adds faults to `faults`. */
export interface Resolver {
  readonly files: Files;
  readonly place: FaultContext;
  readonly faults: Fault[];
  /** Messages for the user that are not faults. */
  readonly warnings: string[];
}

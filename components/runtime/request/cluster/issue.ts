import type { Path } from "../../../../foundation/schema/faults";

/** A fault in a cluster: its path and the expected value. */
export interface Issue {
  readonly path: Path;
  readonly expected: string;
}

import type { Path } from "../../../../foundation/schema/faults";

/** What stands in the wrong place, and what is expected there. */
export interface Issue {
  readonly path: Path;
  readonly expected: string;
}

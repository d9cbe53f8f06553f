import { mismatch, type Fault, type Path } from "../../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../../foundation/schema/issues";
import type { TerasliceSettings } from "../../settings";
import type { ShapedJob } from "../shape";

/** A fault of a job. Its path starts at the job. */
export interface JobFault extends Fault {
  /** `error`: the job can't run. `warning`: it can run, but is probably a mistake. */
  readonly level: string;
}

/** Input of all checks of a job. Collects their findings. */
export class Findings {
  readonly faults: JobFault[] = [];

  constructor(
    readonly job: ShapedJob,
    readonly settings: TerasliceSettings,
    readonly place: FaultContext,
    /** Whether messages must not contain any value of the job. */
    private readonly isSecret: boolean,
  ) {}

  /** Adds an error. Reports the value at `path`. */
  error(path: Path, expected: string, hint?: string): void {
    this.report("error", path, foundAt(this.place, path), expected, hint);
  }

  /** As {@link error}, with a description of what was found. */
  errorOf(path: Path, found: string, expected: string, hint?: string): void {
    this.report("error", path, found, expected, hint);
  }

  /** Adds a warning. */
  warning(path: Path, found: string, expected: string, hint?: string): void {
    this.report("warning", path, found, expected, hint);
  }

  private report(level: string, path: Path, found: string, expected: string, hint: string | undefined): void {
    const hidden = mismatch(path, foundAt(this.place, path), "another value (hidden, it is a secret)");
    this.add(level, this.isSecret ? hidden : mismatch(path, found, expected, hint));
  }

  /** Adds a fault whose text contains no secrets. */

  add(level: string, { path, message }: Fault): void {
    this.faults.push({ path, message, level });
  }
}

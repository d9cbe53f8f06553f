import { mismatch, type Fault, type Path } from "../../../../foundation/schema/faults";
import { foundAt, type Place } from "../../../../foundation/schema/issues";
import type { TerasliceSettings } from "../../settings";
import type { ShapedJob } from "../shape";

/** One thing that is wrong with a job, its path from the job on. */
export interface JobFault extends Fault {
  /** `error`: it can't run like that. `warning`: it can, but hardly is what was meant. */
  readonly level: string;
}

/** What every check of a job is given, and reports its findings to. */
export class Findings {
  readonly faults: JobFault[] = [];

  constructor(
    readonly job: ShapedJob,
    readonly settings: TerasliceSettings,
    readonly place: Place,
    /** Whether nothing of the job may be reported, not even in what is expected. */
    private readonly isSecret: boolean,
  ) {}

  /** It can't run like that. What is found at `path` is reported. */
  error(path: Path, expected: string, hint?: string): void {
    this.report("error", path, foundAt(this.place, path), expected, hint);
  }

  /** Likewise, and `found` says what exists. */
  errorOf(path: Path, found: string, expected: string, hint?: string): void {
    this.report("error", path, found, expected, hint);
  }

  /** It hardly is what was meant. */
  warning(path: Path, found: string, expected: string, hint?: string): void {
    this.report("warning", path, found, expected, hint);
  }

  private report(level: string, path: Path, found: string, expected: string, hint: string | undefined): void {
    const hidden = mismatch(path, foundAt(this.place, path), "another value (hidden, it is a secret)");
    this.add(level, this.isSecret ? hidden : mismatch(path, found, expected, hint));
  }

  /** A fault whose text gives nothing away. */

  add(level: string, { path, message }: Fault): void {
    this.faults.push({ path, message, level });
  }
}

import type { Filter } from "../fleet/select";

export interface CommonOptions {
  readonly json?: boolean;
  readonly wait?: number;
  readonly refresh?: boolean;
  readonly fromFile?: boolean;
}

export interface ManyOptions extends CommonOptions, Filter {
  readonly file?: string;
  readonly all?: boolean;
  readonly parallel?: number;
  readonly wave?: string;
  readonly maxFailures?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

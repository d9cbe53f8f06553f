import type { DatabasePlatform } from "../clickhouse/settings";
import type { Provisioner } from "../types/registry";

/**
 * Outputs of a platform stack that a runtime stack reads. They are complete, so that a runtime stack needs no file of
 * the platform's checkout.
 */
export interface Platform extends DatabasePlatform {
  readonly provisioners: Readonly<Record<string, Provisioner>>;
  readonly defaultProvisioner: string;
  /** Default provisioners by environment, such as `dev: shared`. */
  readonly environments: Readonly<Record<string, string>>;
  /** PostgreSQL URL of the ledger. Not set if no provisioner is static. */
  readonly ledgerUrl?: string;
  /** Revision of each provisioner. A runtime with another revision is outdated. Not set by older platforms. */
  readonly provisionerRevisions?: Readonly<Record<string, string>>;
}

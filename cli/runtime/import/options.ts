import type { CommonOptions } from "../options";

export interface RuntimeImportOptions extends CommonOptions {
  readonly shoot?: string;
  readonly fromProvisioner?: string;
  readonly provisioner?: string;
  readonly platform?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

import type { Platform } from "../../components/runtime/platform/platform";
import { poolOf, type Provisioner } from "../../components/runtime/types/registry";
import { capacityWarnings } from "../../provider/ledger/capacity";
import { readUsage, type HostUsage } from "../../provider/ledger/usage";

/** A provisioner of a platform with its usage. Contains no secrets. */
export interface ProvisionerUsage {
  readonly name: string;
  readonly type: Provisioner["type"];
  readonly isDefault: boolean;
  /** Environments that use it by default. */
  readonly environments: readonly string[];
  /** Hosts of a static provisioner. */
  readonly hosts?: readonly HostUsage[];
  /** Why a static provisioner is nearly full. */
  readonly warnings: readonly string[];
}

/** Short, because a user is waiting. */
const PATIENCE_MS = 5_000;

/** Reads the usage of a platform's provisioners from the ledger. */
export async function usageOf(platform: Platform): Promise<ProvisionerUsage[]> {
  const { provisioners, defaultProvisioner, environments, ledgerUrl } = platform;
  const pools =
    ledgerUrl === undefined ? [] : await readUsage(ledgerUrl, undefined, { signal: AbortSignal.timeout(PATIENCE_MS) });
  return Object.entries(provisioners).map(([name, provisioner]) => {
    const pool = poolOf(provisioner);
    const hosts = pools.find((one) => one.pool === pool)?.hosts ?? [];
    return {
      name,
      type: provisioner.type,
      isDefault: name === defaultProvisioner,
      environments: Object.keys(environments).filter((key) => environments[key] === name),
      ...(pool !== undefined && { hosts }),
      warnings: pool === undefined ? [] : capacityWarnings(pool, hosts),
    };
  });
}

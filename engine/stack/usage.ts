import type { Platform, Provisioner } from "../../components/runtime/platform/platform";
import { capacityWarnings } from "../../provider/ledger/capacity";
import { readUsage, type HostUsage } from "../../provider/ledger/usage";

/** One provisioner of a platform with what is taken of it; nothing in it is secret. */
export interface ProvisionerUsage {
  readonly name: string;
  readonly type: Provisioner["type"];
  readonly isDefault: boolean;
  /** Environments whose default it is. */
  readonly environments: readonly string[];
  /** Hosts of a static one. */
  readonly hosts?: readonly HostUsage[];
  /** Why a static one is about to be full. */
  readonly warnings: readonly string[];
}

/** A ledger that does not answer is reported soon: a user is waiting. */
const PATIENCE_MS = 5_000;

/** Asks the ledger how full the provisioners of a platform are. */
export async function usageOf(platform: Platform): Promise<ProvisionerUsage[]> {
  const { provisioners, defaultProvisioner, environments, ledgerUrl } = platform;
  const isStatic = Object.values(provisioners).some(({ type }) => type === "static");
  const pools =
    isStatic && ledgerUrl !== undefined
      ? await readUsage(ledgerUrl, undefined, { signal: AbortSignal.timeout(PATIENCE_MS) })
      : [];
  return Object.entries(provisioners).map(([name, provisioner]) => {
    const pool = provisioner.type === "static" ? provisioner.pool : undefined;
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

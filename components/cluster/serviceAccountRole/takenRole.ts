import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { rolePrefix, type OnEks } from "../onEks/onEks";
import { roleName } from "./plan";

/** A service account of the platform. Its role has the name of the release. */
interface PlatformAccount {
  readonly release: string;
  readonly namespace: string;
}

interface Entry {
  readonly roleName?: string | undefined;
  readonly serviceAccounts: Readonly<Record<string, readonly string[]>>;
}

/**
 * Faults for `dataAccess` entries that use a service account or a role name of the platform. A service account can have
 * only one role, and role names are unique in an AWS account.
 */
export function takenFaults(
  { release, namespace }: PlatformAccount,
  onEks: OnEks | undefined,
  entries: Readonly<Record<string, Entry>>,
): Fault[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const role = onEks && roleName(rolePrefix(onEks), release);
    const isSame = name === release || entry.roleName?.toLowerCase() === role?.toLowerCase();
    if (!isSame && !entry.serviceAccounts[namespace]?.includes(release)) return [];
    const expected = `no role of the name ${role ?? release} and none for ${namespace}/${release}; that is the platform's own`;
    return [mismatch(["dataAccess", name], "an entry", expected)];
  });
}

import { ApiError } from "../errors";
import type { RuntimeSettings } from "../context";
import { identify, type Presented, type Verifiers } from "./caller";
import { TENANT, type Identity } from "./identity";

/**
 * Who calls the original's API: by a token like everywhere, and always for the tenant that the header names. Without a token
 * it is the header itself, where the service is configured to trust it; such a caller is an operator of that tenant.
 */
export async function tenantIdentity(
  presented: Presented,
  verifiers: Verifiers,
  { trustsTenantHeader = false }: RuntimeSettings,
): Promise<Identity> {
  const tenant = presented.tenant?.trim() ?? "";
  const isTrusted = trustsTenantHeader && presented.authorization === undefined;
  const identity = isTrusted ? undefined : await identify(presented, verifiers);
  if (tenant === "") {
    const advice = "send the header tenant";
    throw new ApiError({ code: "BAD_INPUT", reason: "tenant header is empty", path: "tenant", advice });
  }
  // One that is no legal name is refused with its reason by whoever looks for the role.
  return identity ?? { actor: `tenant ${tenant}`, roles: TENANT.test(tenant) ? { [tenant]: "operator" } : {} };
}

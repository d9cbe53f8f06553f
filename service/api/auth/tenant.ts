import { ApiError } from "../errors";
import type { Visitor } from "./admission";
import { noToken } from "./caller";
import { TENANT, type Identity, type TenantTrust } from "./identity";

/**
 * Returns the identity of a caller of the runtime API, for the tenant in the header. A token identifies the
 * caller as in the rest of the API. If the service trusts the header, a request without a token becomes an operator of
 * that tenant.
 */
export function tenantIdentity(
  { presented: { tenant: named = "" }, identity }: Visitor,
  { trustsTenantHeader = false }: TenantTrust,
): Identity {
  if (identity === undefined && !trustsTenantHeader) throw noToken();
  const tenant = named.trim();
  if (tenant === "") {
    const advice = "send the header tenant";
    throw new ApiError({ code: "BAD_INPUT", reason: "tenant header is empty", path: "tenant", advice });
  }
  // The role check rejects an invalid name later, with the reason.
  return identity ?? { actor: `tenant ${tenant}`, roles: TENANT.test(tenant) ? { [tenant]: "operator" } : {} };
}

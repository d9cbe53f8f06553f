import type { Caller } from "../../operations/input";
import { ApiError } from "../errors";
import { ALL, roleIn, TENANT, type CallerOfAny, type Identity } from "./identity";

/** The credentials and headers of a request that identify its caller. */
export interface Presented {
  readonly authorization?: string;
  /** Value of the header `tenant`. */
  readonly tenant?: string;
  readonly address?: string;
}

export interface Verifiers {
  /** Looks up a static token; undefined if the token is not one of them. */
  readonly known?: (token: string) => Identity | undefined;
  readonly issued?: (token: string) => Promise<Identity>;
}

export function noToken(): ApiError {
  const reason = "the request has no token";
  return new ApiError({ code: "UNAUTHENTICATED", reason, advice: "send the header Authorization: Bearer …" });
}

/** Returns the identity of the request's bearer token. Throws if the token is missing or invalid. */
export async function identify({ authorization }: Presented, { known, issued }: Verifiers): Promise<Identity> {
  const token = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? "")?.[1];
  if (token === undefined) throw noToken();
  const identity = known?.(token) ?? (await issued?.(token));
  if (identity !== undefined) return identity;
  const advice = "send one of the service's static tokens";
  throw new ApiError({ code: "UNAUTHENTICATED", reason: "the token is not valid", advice });
}

/**
 * Returns the caller for the tenant that the header names. Without the header, this is the only tenant that the
 * identity has a role in, or all tenants. A tenant without a role for the caller gets the same error whether it exists
 * or not.
 */
export function callerOf(identity: Identity, { tenant, address }: Presented): CallerOfAny {
  const { actor, roles } = identity;
  const named = tenant?.trim() ?? "";
  if (named !== "" && !TENANT.test(named)) {
    const reason = "found no legal name in the header tenant; expected 1 to 63 of A-Z a-z 0-9 . _ -";
    throw new ApiError({ code: "BAD_INPUT", reason, path: "tenant" });
  }
  const [only, ...others] = Object.keys(roles);
  const chosen = named !== "" ? named : others.length === 0 ? only : Object.hasOwn(roles, ALL) ? ALL : undefined;
  if (chosen === undefined && only !== undefined) {
    const reason = "the header tenant is empty, and the token is for several tenants";
    throw new ApiError({ code: "BAD_INPUT", reason, path: "tenant", advice: "send the header tenant" });
  }
  const role = chosen === undefined ? undefined : roleIn(identity, chosen);
  if (role === undefined || chosen === undefined) {
    const reason = chosen === undefined ? "the token gives no role" : `the token gives no role in the tenant ${chosen}`;
    throw new ApiError({ code: "FORBIDDEN", reason, advice: "ask an administrator for a role" });
  }
  const isGlobal = roleIn(identity, ALL) === "admin";
  return { actor, role, address, tenant: chosen, allTenants: chosen === ALL, isGlobal };
}

/** Throws unless the caller is an administrator of all tenants: some resources belong to no tenant. */
export function authorizeGlobally({ isGlobal }: CallerOfAny): void {
  if (isGlobal) return;
  const reason = "only an administrator of all tenants may do that";
  throw new ApiError({ code: "FORBIDDEN", reason, advice: "ask an administrator of all tenants" });
}

/** Returns the caller of a change. A change needs one tenant; throws for a caller of all tenants. */
export function callerOfOne(caller: CallerOfAny): Caller {
  if (!caller.allTenants) return caller;
  const reason = "the header tenant is empty; a change is for one tenant";
  throw new ApiError({ code: "BAD_INPUT", reason, path: "tenant", advice: "send the header tenant" });
}

import type { Caller } from "../../operations";

/** Ordered by increasing rights. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (value: unknown): value is Role => ROLES.includes(value as Role);

/** Key of a role that applies to all tenants. */
export const ALL = "*";

/** An authenticated user or client, from its token. */
export interface Identity {
  readonly actor: string;
  /** Role by tenant. */
  readonly roles: Readonly<Record<string, Role>>;
}

/** Valid names of tenants, in a header or a claim. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/**
 * Returns the role of an identity in a tenant. If the identity also has a role for all tenants, the higher one applies.
 */
export function roleIn({ roles }: Identity, tenant: string): Role | undefined {
  const own = Object.hasOwn(roles, tenant) ? roles[tenant] : undefined;
  const everywhere = Object.hasOwn(roles, ALL) ? roles[ALL] : undefined;
  const found = [own, everywhere].filter(isRole).map((role) => ROLES.indexOf(role));
  return found.length === 0 ? undefined : ROLES[Math.max(...found)];
}

/** The caller and the tenant of its request. */
export interface CallerOfAny extends Caller {
  /** True if the request covers all tenants: the role applies to all of them, and no header names one. */
  readonly allTenants: boolean;
  /** True for an administrator of all tenants, even if the request names one tenant. */
  readonly isGlobal: boolean;
}

/** Whether the service trusts the header `tenant`. */
export interface TenantTrust {
  /** True if requests need no token because a proxy has authenticated them and set the header `tenant`. */
  readonly trustsTenantHeader?: boolean;
}

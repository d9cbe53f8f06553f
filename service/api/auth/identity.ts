import type { Caller } from "../../operations";

/** From the least to the most that one may do. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

export const isRole = (value: unknown): value is Role => ROLES.includes(value as Role);

/** Stands for all tenants. */
export const ALL = "*";

/** Who somebody is, as a token says. */
export interface Identity {
  readonly actor: string;
  /** Role by tenant. */
  readonly roles: Readonly<Record<string, Role>>;
}

/** Names of tenants, in a header or a claim. */
export const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** The role that an identity has in a tenant: the higher one where it has one for all tenants besides. */
export function roleIn({ roles }: Identity, tenant: string): Role | undefined {
  const own = Object.hasOwn(roles, tenant) ? roles[tenant] : undefined;
  const everywhere = Object.hasOwn(roles, ALL) ? roles[ALL] : undefined;
  const found = [own, everywhere].filter(isRole).map((role) => ROLES.indexOf(role));
  return found.length === 0 ? undefined : ROLES[Math.max(...found)];
}

/** Who calls, for which tenant. */
export interface CallerOfAny extends Caller {
  /** True if the request is for all tenants: the role is one for all, and no header names one. */
  readonly allTenants: boolean;
  /** Whether it is an administrator of all tenants, whichever one the request is for. */
  readonly isGlobal: boolean;
}

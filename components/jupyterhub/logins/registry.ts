import * as z from "zod";
import { auth0 } from "./auth0";
import { custom } from "./custom";
import { dummy } from "./dummy";
import { github } from "./github";
import { ldap } from "./ldap";
import type { Login } from "./login";
import { oidc } from "./oidc";

const TYPES = [auth0, oidc, github, ldap, custom, dummy] as const;

export type AuthInput = z.output<(typeof TYPES)[number]["schema"]>;

/** All logins, in the order of the reference. */
export const LOGINS: readonly Login[] = TYPES;

export function loginOf({ type }: AuthInput): Login {
  const found = LOGINS.find((login) => login.type === type);
  if (found === undefined) throw new Error(`no login ${type}`);
  return found;
}

/** Schema of the key `auth`. */
export const authSchema = z.discriminatedUnion(
  "type",
  LOGINS.map(({ schema }) => schema) as [z.ZodObject, ...z.ZodObject[]],
  { error: LOGINS.map(({ type }) => type).join(" or ") },
) as z.ZodType as z.ZodType<AuthInput>;

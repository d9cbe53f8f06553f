import type * as z from "zod";
import type { Values } from "../../../foundation/json/merge";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { count, flag, listOf, matching, type strict } from "../../../foundation/schema/fields";
import { authPath, isProduction, people, type Address } from "./login";

/** Who may log in, and for how long: the same keys for every login. Pure. */

export const groupNames = () => listOf(matching(/^\S(.*\S)?$/, "a group"), "texts").default([]);

/** Keys for who may log in. `user`: how one is named, such as `an e-mail address`; `users`: the same in the plural. */
export const accessFields = (user: string, users: string) => ({
  allowedUsers: people(user).default([]).describe(`${users} of users who may log in.`),
  adminUsers: people(user).default([]).describe(`${users} of administrators, who may log in too.`),
  allowAll: flag().default(false).describe("`true`: every user there may log in. Not allowed in production."),
  allowedGroups: groupNames().describe("Groups whose members may log in."),
  adminGroups: groupNames().describe("Groups whose members are administrators, who may log in too."),
});

/** Keys for when the hub asks the issuer again. */
export const sessionFields = () => ({
  refreshMinutes: count("a whole number of minutes from 1 to 1440", 1440)
    .default(5)
    .describe(
      "Minutes after which the hub asks again whether a user may still log in, and for the groups. It also asks before it starts a notebook.",
    ),
  sessionHours: count("a whole number of hours from 1 to 336", 336)
    .default(24)
    .describe("Hours after which users must log in again."),
});

export type Access = z.output<ReturnType<typeof strict<ReturnType<typeof accessFields>>>>;
export type Session = z.output<ReturnType<typeof strict<ReturnType<typeof sessionFields>>>>;

const areSome = (...lists: (readonly string[])[]): boolean => lists.some((all) => all.length > 0);

/** Whether only groups decide who may log in. */
export const isByGroupsOnly = ({ allowAll, allowedUsers, adminUsers, ...groups }: Access): boolean =>
  !allowAll && !areSome(allowedUsers, adminUsers) && areSome(groups.allowedGroups, groups.adminGroups);

/** Whether the hub has to know the groups of users. */
export const usesGroups = ({ allowedGroups, adminGroups }: Access, { groupsElsewhere }: GroupUse): boolean =>
  groupsElsewhere || areSome(allowedGroups, adminGroups);

/** Whether something but the login depends on groups, such as a profile. */
type GroupUse = Pick<Address, "groupsElsewhere">;

/** Faults if nobody may log in, or anybody in production. */
export function accessFaults(auth: Access, stack: string): Fault[] {
  const { allowedUsers, adminUsers, allowedGroups, adminGroups, allowAll } = auth;
  const faults: Fault[] = [];
  if (!areSome(allowedUsers, adminUsers, allowedGroups, adminGroups) && !allowAll) {
    const expected =
      "at least one of allowedUsers, adminUsers, allowedGroups, adminGroups and allowAll; otherwise no user can log in";
    faults.push(mismatch(authPath(), "no allowed user", expected));
  }
  if (allowAll && isProduction(stack)) {
    const expected = "names of users or groups, because the stack is production";
    faults.push(mismatch(authPath("allowAll"), "true", expected));
  }
  return faults;
}

/** Traits of any authenticator for who may log in by name. */
export const userTraits = ({ allowedUsers, adminUsers, allowAll }: Access): Values => ({
  allowed_users: allowedUsers,
  admin_users: adminUsers,
  ...(allowAll && { allow_all: true }),
});

/** Traits of an OAuthenticator for who may log in. */
export const accessTraits = (auth: Access, use: GroupUse): Values => ({
  ...userTraits(auth),
  ...(usesGroups(auth, use) && {
    manage_groups: true,
    allowed_groups: auth.allowedGroups,
    admin_groups: auth.adminGroups,
  }),
});

/** Traits of an authenticator that asks again. */
export const refreshTraits = ({ refreshMinutes }: Session): Values => ({
  enable_auth_state: true,
  auth_refresh_age: refreshMinutes * 60,
  refresh_pre_spawn: true,
});

/** Traits of JupyterHub: its cookies, and the tokens of notebooks, are valid as long as a session. */
export const sessionTraits = ({ sessionHours }: Session): Values => ({ cookie_max_age_days: sessionHours / 24 });

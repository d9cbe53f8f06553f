/** The class of an LDAP login in the hub's configuration, in Python. Pure. */

interface Groups {
  readonly groups?: { readonly base: string; readonly filter: string; readonly attribute: string } | undefined;
  readonly userAttribute: string;
  readonly allowedGroups: readonly string[];
  readonly adminGroups: readonly string[];
}

const MEMBERSHIP = `
    def groups_of(self, conn, userdn):
        conn.search(userdn, "(objectClass=*)", search_scope=ldap3.BASE, attributes=[self.NAME])
        uid = str(conn.entries[0][self.NAME].value) if conn.entries else ""
        wanted = self.FILTER.format(userdn=escape_filter_chars(userdn), uid=escape_filter_chars(uid))
        conn.search(self.BASE, wanted, attributes=[self.GROUP])
        return sorted({str(value) for entry in conn.entries for value in entry[self.GROUP].values})
`;

const NO_GROUPS = `
    def groups_of(self, conn, userdn):
        return []
`;

/**
 * LDAPAuthenticator looks only for the groups that admit users, by their DNs, and never asks again. This reads all groups
 * by their names, and asks again with the account that searches.
 */
export function ldapScript({ groups, userAttribute, allowedGroups, adminGroups }: Groups): string {
  const { base = "", filter = "", attribute = "" } = groups ?? {};
  const constants = [
    ["NAME", JSON.stringify(userAttribute)],
    ["BASE", JSON.stringify(base)],
    ["FILTER", JSON.stringify(filter)],
    ["GROUP", JSON.stringify(attribute)],
    ["ALLOWED_GROUPS", `set(${JSON.stringify(allowedGroups)})`],
    ["ADMIN_GROUPS", `set(${JSON.stringify(adminGroups)})`],
  ];
  return `import asyncio

import ldap3
from ldap3.core.exceptions import LDAPException
from ldap3.utils.conv import escape_filter_chars
from ldapauthenticator import LDAPAuthenticator
from tornado import web


class StackyardLogin(LDAPAuthenticator):
${constants.map(([name, value]) => `    ${name} = ${value}\n`).join("")}
    def get_user_attributes(self, conn, userdn):
        return {**super().get_user_attributes(conn, userdn), "groups": self.groups_of(conn, userdn)}
${groups ? MEMBERSHIP : NO_GROUPS}
    def with_groups(self, name, groups):
        is_admin = True if name in self.admin_users else None
        if self.ADMIN_GROUPS and not is_admin:
            is_admin = not self.ADMIN_GROUPS.isdisjoint(groups)
        return {"name": name, "groups": groups, "admin": is_admin}

    async def authenticate(self, handler, data):
        model = await super().authenticate(handler, data)
        if model is None:
            return None
        groups = model["auth_state"]["user_attributes"].pop("groups")
        return {**model, **self.with_groups(self.normalize_username(model["name"]), groups)}

    async def check_allowed(self, username, auth_model):
        if await super().check_allowed(username, auth_model):
            return True
        return bool(auth_model["admin"]) or not self.ALLOWED_GROUPS.isdisjoint(auth_model["groups"])

    def look_up(self, name):
        conn = self.get_connection(self.lookup_dn_search_user, self.lookup_dn_search_password)
        if conn is None:
            raise web.HTTPError(503, "The login service rejects the account of the hub.")
        userdn = self.resolve_username(name)[1]
        return userdn and self.with_groups(name, self.groups_of(conn, userdn))

    async def refresh_user(self, user, handler=None, **kwargs):
        if not self.lookup_dn:
            return True
        try:
            model = await asyncio.to_thread(self.look_up, user.name)
        except LDAPException as error:
            raise web.HTTPError(503, "The login service does not answer.") from error
        is_allowed = model and self.check_blocked_users(user.name, model)
        if is_allowed and (self.allow_all or await self.check_allowed(user.name, model)):
            return model
        self.log.warning("User %s may not log in any more.", user.name)
        return False


c.JupyterHub.authenticator_class = StackyardLogin
`;
}

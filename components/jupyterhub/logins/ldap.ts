import * as z from "zod";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { count, hostname, matching, oneOf, strict } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import { secret } from "../../../foundation/schema/secretValues";
import * as access from "./access";
import { ldapScript } from "./ldapScript";
import { authPath, isDevelopment, login } from "./login";
import { LOGIN_SCRIPT } from "./oauthScript";

const dn = () => matching(/^[^\s={}]+=[^{}]+$/, "a DN such as ou=people,dc=example,dc=com");
const attribute = () => matching(/^[A-Za-z][A-Za-z0-9;-]*$/, "the name of an attribute");
const filter = (expected: string) => matching(/^\(.+\)$/, expected);

const lookup = strict("an object with bindDn, password and base", {
  bindDn: dn().describe("DN of the account that searches. It needs to read users and groups only."),
  password: secret(matching(/\S/, "the password of the account")).describe(
    "Password of the account; a secret. It is put into a Kubernetes Secret and nowhere else.",
  ),
  base: dn().describe("DN below which users are."),
  filter: filter("a filter such as (&({login_attr}={login})(objectClass=person))")
    .default("({login_attr}={login})")
    .describe("Filter for a user. `{login_attr}` is `userAttribute`, `{login}` the name."),
});

const groups = strict("an object with base", {
  base: dn().describe("DN below which groups are."),
  filter: filter("a filter such as (member={userdn})")
    .default("(|(member={userdn})(uniqueMember={userdn})(memberUid={uid}))")
    .describe("Filter for the groups of a user. `{userdn}` is the user's DN, `{uid}` the name."),
  attribute: attribute().default("cn").describe("Attribute with the name of a group."),
});

export const ldap = login({
  type: "ldap",
  schema: strict("an object", {
    type: z
      .literal("ldap")
      .describe("Users log in with their password of an LDAP directory, such as OpenLDAP or Active Directory."),
    server: hostname("a host name such as ldap.example.com").describe("Host name of the LDAP server."),
    port: count("a port from 1 to 65535", 65_535)
      .optional()
      .describe("Port. Default: 636 with `tls: ldaps`, else 389."),
    tls: oneOf(["starttls", "ldaps", "off"])
      .default("starttls")
      .describe(
        "How passwords are encrypted: StartTLS, LDAPS, or not at all, which is only for stacks named `dev` or `dev-…`.",
      ),
    ca: matching(/-----BEGIN CERTIFICATE-----[^]+-----END CERTIFICATE-----/, "certificates in PEM")
      .optional()
      .describe("Certificate authorities of the server in PEM. Default: those that the hub's image trusts."),
    userAttribute: attribute()
      .default("uid")
      .describe("Attribute with a user's name: `uid`, in Active Directory `sAMAccountName`."),
    userDn: matching(/^[^\s=]+=[^{}]*\{username\}[^{}]*$/, "a DN such as uid={username},ou=people,dc=example,dc=com")
      .optional()
      .describe("DN of a user, if all are in one place. `{username}` is the name. Default: `lookup` finds it."),
    lookup: lookup.optional().describe("Account with which the hub finds users, and asks again for them."),
    groups: groups.optional().describe("Where groups are. Default: there are none."),
    ...access.accessFields("a name", "Names"),
    ...access.sessionFields(),
  }),
  secrets: [{ key: "lookup.password", trait: ["LDAPAuthenticator", "lookup_dn_search_password"] }],

  faults(auth, { stack, place, groupsElsewhere }) {
    const faults: Fault[] = access.accessFaults(auth, stack);
    if (auth.tls === "off" && !isDevelopment(stack)) {
      const path = authPath("tls");
      const expected = "starttls or ldaps; passwords without encryption are only for stacks called dev or dev-…";
      faults.push(mismatch(path, foundAt(place, path), expected));
    }
    if (auth.userDn === undefined && auth.lookup === undefined) {
      faults.push(mismatch(authPath("lookup"), "nothing", "an account that finds users", "or give userDn"));
    }
    if (auth.groups === undefined && access.usesGroups(auth, { groupsElsewhere })) {
      const expected = "where groups are, because allowedGroups, adminGroups a profile or a limit name some";
      faults.push(mismatch(authPath("groups"), "nothing", expected));
    }
    return faults;
  },
  warnings({ lookup: account, sessionHours }) {
    if (account) return [];
    return [
      "stackyard:jupyterhub.auth.lookup: found nothing; without an account, the hub can't ask again, and a user who is removed or leaves " +
        `a group may use JupyterHub until the session ends, which is after sessionHours: ${sessionHours}`,
    ];
  },

  settings(auth) {
    const { lookup: account, tls } = auth;
    // ldap3 does not check certificates by default.
    const checked = { validate: CERT_REQUIRED, ...(auth.ca !== undefined && { ca_certs_data: auth.ca }) };
    return {
      authenticator: "ldap",
      hub: access.sessionTraits(auth),
      config: {
        LDAPAuthenticator: {
          server_address: auth.server,
          ...(auth.port !== undefined && { server_port: auth.port }),
          tls_strategy: { starttls: "before_bind", ldaps: "on_connect", off: "insecure" }[tls],
          ...(tls !== "off" && { tls_kwargs: checked }),
          ...(auth.userDn !== undefined && { bind_dn_template: [auth.userDn] }),
          user_attribute: auth.userAttribute,
          ...(account && {
            lookup_dn: true,
            lookup_dn_search_user: account.bindDn,
            lookup_dn_search_filter: account.filter,
            lookup_dn_user_dn_attribute: auth.userAttribute,
            user_search_base: account.base,
          }),
          ...access.userTraits(auth),
          // Otherwise, users who were allowed once are allowed for ever.
          allow_existing_users: false,
          // The hub knows nothing of our groups, and would warn that nobody can log in.
          any_allow_config: true,
          manage_groups: true,
          ...access.refreshTraits(auth),
        },
      },
      secretConfig: { LDAPAuthenticator: account ? { lookup_dn_search_password: account.password } : {} },
      extraConfig: { [LOGIN_SCRIPT]: ldapScript(auth) },
    };
  },
});

/** Of Python's module ssl. */
const CERT_REQUIRED = 2;

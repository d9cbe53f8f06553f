import * as z from "zod";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { flag, hostname, matching, strict, listOf } from "../../../foundation/schema/fields";
import { secret } from "../../../foundation/schema/secretValues";
import { foundAt } from "../../../foundation/schema/issues";
import { DEFAULT_CLAIM, GROUPS_SCRIPT, groupsScript, isRestricted } from "./groups";
import { authPath, login, people } from "./login";

const isProduction = (stack: string): boolean => /^prod(uction)?(-|$)/.test(stack);

export const auth0 = login({
  type: "auth0",
  schema: strict("an object", {
    type: z.literal("auth0").describe("Users log in through Auth0."),
    domain: hostname("a domain such as acme.eu.auth0.com").describe(
      "Domain of the Auth0 tenant, or its custom domain.",
    ),
    clientId: matching(/^\S+$/, "the client id of the Auth0 application").describe(
      "Client id of the Auth0 application.",
    ),
    clientSecret: secret(matching(/^\S+$/, "the client secret of the Auth0 application")).describe(
      "Client secret of the Auth0 application; a secret. It is put into a Kubernetes Secret and nowhere else.",
    ),
    callback: matching(/^https?:\/\/\S+\/hub\/oauth_callback$/, "a URL that ends in /hub/oauth_callback")
      .optional()
      .describe("Callback URL, which must be registered in Auth0. Default: derived from `host` and `tls`."),
    scopes: listOf(matching(/^\S+$/, "a scope"), "scopes")
      .default(["openid", "email", "profile"])
      .describe("Requested scopes. `openid` and `email` are required, because users are identified by email."),
    allowedUsers: people("an e-mail address").default([]).describe("Email addresses of users who may log in."),
    adminUsers: people("an e-mail address")
      .default([])
      .describe("Email addresses of administrators, who may log in too."),
    allowAll: flag()
      .default(false)
      .describe("`true`: every user of the Auth0 tenant may log in. Not allowed in production."),
    groupsClaim: matching(/^[\x21-\x7e]+$/, "the name of a claim: printable ASCII without spaces")
      .default(DEFAULT_CLAIM)
      .describe("Claim with the user's groups, set by an Auth0 action: a URL, or a name that Auth0 allows."),
    allowedGroups: people("a group").default([]).describe("Groups whose members may log in."),
    adminGroups: people("a group").default([]).describe("Groups whose members are administrators."),
  }),
  secret: { key: "clientSecret", trait: ["Auth0OAuthenticator", "client_secret"] },

  faults(auth, { host, scheme, stack, place }) {
    const faults: Fault[] = [];
    const { callback, allowedUsers, adminUsers, allowedGroups, adminGroups, allowAll, groupsClaim, scopes } = auth;
    const someone = [allowedUsers, adminUsers, allowedGroups, adminGroups].some((all) => all.length > 0);
    if (!someone && !allowAll) {
      const expected =
        "at least one of allowedUsers, adminUsers, allowedGroups, adminGroups and allowAll; otherwise no user can log in";
      faults.push(mismatch(authPath(), "no allowed user", expected));
    }
    const named = allowedUsers.length + adminUsers.length > 0;
    if (someone && !named && !allowAll && isRestricted(groupsClaim)) {
      const path = authPath("groupsClaim");
      const expected = "a claim that an Auth0 action can set; otherwise no user can log in";
      faults.push(mismatch(path, foundAt(place, path), expected, `such as ${DEFAULT_CLAIM}`));
    }
    if (allowAll && isProduction(stack)) {
      const expected = "names of users or groups, because the stack is production";
      faults.push(mismatch(authPath("allowAll"), "true", expected));
    }
    for (const scope of ["openid", "email"].filter((each) => !scopes.includes(each))) {
      const expected = "openid and email, because users are identified by email";
      faults.push(mismatch(authPath("scopes"), `no ${scope}`, expected));
    }
    if (callback === undefined) {
      if (host !== undefined) return faults;
      const expected = "a host name, because Auth0 sends people back to it";
      return [...faults, mismatch(["jupyterhub", "host"], "nothing", expected, "or give auth.callback")];
    }
    const path = authPath("callback");
    if (!callback.startsWith(`${scheme}:`) && scheme === "https") {
      faults.push(mismatch(path, foundAt(place, path), "a URL with https, because TLS is on"));
    }
    if (host !== undefined && new URL(callback).hostname !== host) {
      faults.push(mismatch(path, foundAt(place, path), `a URL with the host ${host}`));
    }
    return faults;
  },

  settings(auth, { host = "", scheme }) {
    const usesGroups = auth.allowedGroups.length > 0 || auth.adminGroups.length > 0;
    const groups = { manage_groups: true, allowed_groups: auth.allowedGroups, admin_groups: auth.adminGroups };
    return {
      authenticator: "auth0",
      config: {
        Auth0OAuthenticator: {
          auth0_domain: auth.domain,
          client_id: auth.clientId,
          oauth_callback_url: auth.callback ?? `${scheme}://${host}/hub/oauth_callback`,
          scope: auth.scopes,
          // The names of users are their email addresses.
          username_claim: "email",
          allowed_users: auth.allowedUsers,
          admin_users: auth.adminUsers,
          ...(auth.allowAll && { allow_all: true }),
          ...(usesGroups && groups),
        },
      },
      secretConfig: { Auth0OAuthenticator: { client_secret: auth.clientSecret } },
      ...(usesGroups && { extraConfig: { [GROUPS_SCRIPT]: groupsScript(auth.groupsClaim) } }),
    };
  },
});

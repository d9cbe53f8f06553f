import * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { hostname, listOf, matching, strict } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import * as access from "./access";
import { DEFAULT_CLAIM, isRestricted } from "./auth0Claims";
import { authPath, login } from "./login";
import { callbackFaults, clientFields, clientTraits } from "./oauth";
import { groupsInClaim, LOGIN_SCRIPT, oauthScript, VERIFIED_EMAIL } from "./oauthScript";

const ASKS_AGAIN = "offline_access";

export const auth0 = login({
  type: "auth0",
  schema: strict("an object", {
    type: z.literal("auth0").describe("Users log in through Auth0."),
    domain: hostname("a domain such as acme.eu.auth0.com").describe(
      "Domain of the Auth0 tenant, or its custom domain.",
    ),
    ...clientFields("the Auth0 application"),
    scopes: listOf(matching(/^\S+$/, "a scope"), "scopes")
      .default(["openid", "email", "profile", ASKS_AGAIN])
      .describe(
        "Requested scopes. `openid` and `email` are required, because users are identified by email. With `offline_access`, the hub can ask again for groups.",
      ),
    ...access.accessFields("an e-mail address", "Email addresses"),
    groupsClaim: matching(/^[\x21-\x7e]+$/, "the name of a claim: printable ASCII without spaces")
      .default(DEFAULT_CLAIM)
      .describe("Claim with the user's groups, set by an Auth0 action: a URL, or a name that Auth0 allows."),
    ...access.sessionFields(),
  }),
  secrets: [{ key: "clientSecret", trait: ["Auth0OAuthenticator", "client_secret"] }],

  faults(auth, context) {
    const { groupsClaim, scopes } = auth;
    const faults = access.accessFaults(auth, context.stack);
    if (access.isByGroupsOnly(auth) && isRestricted(groupsClaim)) {
      const path = authPath("groupsClaim");
      const expected = "a claim that an Auth0 action can set; otherwise no user can log in";
      faults.push(mismatch(path, foundAt(context.place, path), expected, `such as ${DEFAULT_CLAIM}`));
    }
    for (const scope of ["openid", "email"].filter((each) => !scopes.includes(each))) {
      const expected = "openid and email, because users are identified by email";
      faults.push(mismatch(authPath("scopes"), `no ${scope}`, expected));
    }
    return [...faults, ...callbackFaults(auth, "Auth0", context)];
  },
  warnings({ scopes, sessionHours }) {
    if (scopes.includes(ASKS_AGAIN)) return [];
    return [
      `stackyard:jupyterhub.auth.scopes: found no ${ASKS_AGAIN}; without it, a user who is blocked or leaves a group may use JupyterHub ` +
        `until the session ends, which is after sessionHours: ${sessionHours}`,
    ];
  },

  settings(auth, address) {
    const groups = access.usesGroups(auth, address) ? [groupsInClaim(auth.groupsClaim)] : [];
    return {
      authenticator: "auth0",
      hub: access.sessionTraits(auth),
      config: {
        Auth0OAuthenticator: {
          auth0_domain: auth.domain,
          ...clientTraits(auth, address),
          scope: auth.scopes,
          // The names of users are their email addresses.
          username_claim: "email",
          ...access.accessTraits(auth, address),
          ...access.refreshTraits(auth),
        },
      },
      secretConfig: { Auth0OAuthenticator: { client_secret: auth.clientSecret } },
      extraConfig: {
        [LOGIN_SCRIPT]: oauthScript("oauthenticator.auth0", "Auth0OAuthenticator", [VERIFIED_EMAIL, ...groups]),
      },
    };
  },
});

import * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { matching, strict } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import * as access from "./access";
import { authPath, isDevelopment, login } from "./login";
import { callbackFaults, clientFields, clientTraits } from "./oauth";
import { LOGIN_SCRIPT, oauthScript } from "./oauthScript";

/** Organizations, and teams as `organization:team`, both as in URLs. */
const GROUPS = `
    async def update_auth_model(self, auth_model):
        auth_model = await super().update_auth_model(auth_model)
        state = auth_model["auth_state"]
        token = state["token_response"]
        url = f"{self.github_api}/user/orgs?per_page=100"
        state["organizations"] = await self._paginated_fetch(url, token["access_token"], token["token_type"])
        return auth_model

    async def get_user_groups(self, auth_state):
        organizations = {each["login"].lower() for each in auth_state["organizations"]}
        teams = {f"{each['organization']['login']}:{each['slug']}".lower() for each in auth_state["teams"]}
        return organizations | teams
`;
const GROUP = /^[A-Za-z0-9-]+(:[A-Za-z0-9_.-]+)?$/;
const READ_GROUPS = "read:org";
/** GitHub ignores the case of names. */
const lower = (name: string): string => name.toLowerCase();

export const github = login({
  type: "github",
  schema: strict("an object", {
    type: z
      .literal("github")
      .describe(
        "Users log in through GitHub. Groups are organizations, such as `acme`, and teams, such as `acme:data`.",
      ),
    url: matching(/^https?:\/\/[^\s/?#@]+$/, "a URL such as https://github.acme.com")
      .default("https://github.com")
      .describe("URL of GitHub, or of a GitHub Enterprise Server."),
    ...clientFields("the OAuth app"),
    ...access.accessFields("a GitHub login", "GitHub logins"),
    ...access.sessionFields(),
  }),
  secrets: [{ key: "clientSecret", trait: ["GitHubOAuthenticator", "client_secret"] }],

  faults(auth, context) {
    const faults = access.accessFaults(auth, context.stack);
    for (const key of ["allowedGroups", "adminGroups"] as const) {
      auth[key].forEach((group, index) => {
        if (GROUP.test(group)) return;
        const path = authPath(key, index);
        const expected = "an organization, such as acme, or a team, such as acme:data, as in its URL";
        faults.push(mismatch(path, foundAt(context.place, path), expected));
      });
    }
    if (auth.url.startsWith("http:") && !isDevelopment(context.stack)) {
      const path = authPath("url");
      const expected = "a URL with https; http is only for stacks called dev or dev-…";
      faults.push(mismatch(path, foundAt(context.place, path), expected));
    }
    return [...faults, ...callbackFaults(auth, "GitHub", context)];
  },

  groupName: lower,
  settings(auth, address) {
    const byGroups = access.usesGroups(auth, address);
    const { allowedGroups, adminGroups } = auth;
    const allowed = { ...auth, allowedGroups: allowedGroups.map(lower), adminGroups: adminGroups.map(lower) };
    return {
      authenticator: "github",
      hub: access.sessionTraits(auth),
      config: {
        GitHubOAuthenticator: {
          github_url: auth.url,
          ...clientTraits(auth, address),
          scope: byGroups ? [READ_GROUPS] : [],
          ...(byGroups && { populate_teams_in_auth_state: true }),
          ...access.accessTraits(allowed, address),
          ...access.refreshTraits(auth),
        },
      },
      secretConfig: { GitHubOAuthenticator: { client_secret: auth.clientSecret } },
      extraConfig: {
        [LOGIN_SCRIPT]: oauthScript("oauthenticator.github", "GitHubOAuthenticator", byGroups ? [GROUPS] : []),
      },
    };
  },
});

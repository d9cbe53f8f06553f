import * as z from "zod";
import { mismatch, type Fault } from "../../../foundation/schema/faults";
import { checkedText, flag, listOf, matching, oneOf, strict, stringMap } from "../../../foundation/schema/fields";
import { foundAt } from "../../../foundation/schema/issues";
import * as access from "./access";
import { authPath, isDevelopment, login, type LoginContext } from "./login";
import { callbackFaults, clientFields, clientTraits } from "./oauth";
import { groupsInClaim, LOGIN_SCRIPT, oauthScript, VERIFIED_EMAIL } from "./oauthScript";
import { discovery, idTokenIssuer } from "./oidcScript";

const url = (expected: string) => checkedText(expected, (text) => (isUrl(text) ? undefined : ""), /^https?:\/\/\S+$/);
const isUrl = (text: string): boolean => {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return `${username}${password}` === "";
};
const claim = () => matching(/^[\x21-\x7e]+$/, "the name of a claim: printable ASCII without spaces");

const endpoints = strict("an object with authorizeUrl, tokenUrl and userinfoUrl", {
  authorizeUrl: url("a URL").describe("URL to which users are sent to log in."),
  tokenUrl: url("a URL").describe("URL of the token endpoint."),
  userinfoUrl: url("a URL").optional().describe("URL of the userinfo endpoint. Required unless `claims` is `idToken`."),
});

export const oidc = login({
  type: "oidc",
  schema: strict("an object", {
    type: z
      .literal("oidc")
      .describe("Users log in through an OpenID Connect issuer, such as Okta, Entra ID, Keycloak, Cognito or Google."),
    issuer: url("the URL of the issuer, such as https://acme.okta.com").describe(
      "URL of the issuer. The hub reads the endpoints from `<issuer>/.well-known/openid-configuration` when it starts.",
    ),
    endpoints: endpoints.optional().describe("Endpoints of an issuer without that document. Default: it is read."),
    label: matching(/\S/, "a text")
      .optional()
      .describe("Name of the issuer on the login page. Default: its host name."),
    ...clientFields("the application at the issuer"),
    clientAuthentication: oneOf(["post", "basic"])
      .default("post")
      .describe("How the hub sends its secret to the token endpoint: in the body, or with HTTP Basic authentication."),
    pkce: flag().default(true).describe("`false`: without PKCE, for issuers that reject it."),
    scopes: listOf(matching(/^\S+$/, "a scope"), "scopes")
      .default(["openid", "email", "profile"])
      .describe(
        "Requested scopes. `openid` is required. Most issuers send a refresh token only with `offline_access`.",
      ),
    authorizeParams: stringMap("parameters")
      .default({})
      .describe("Parameters of the URL to which users are sent, such as `access_type: offline` for Google."),
    claims: oneOf(["userinfo", "idToken"])
      .default("userinfo")
      .describe(
        "Where the hub reads claims: the userinfo endpoint, or the ID token, for issuers whose groups are only there.",
      ),
    usernameClaim: claim().default("email").describe("Claim with the name of a user."),
    verifiedEmail: oneOf(["required", "trusted"])
      .default("required")
      .describe(
        "If users are identified by email: `required` rejects those whose address the issuer has not verified, `trusted` is for issuers that know only addresses of your organization, such as Entra ID.",
      ),
    ...access.accessFields("a name", "Names"),
    groupsClaim: claim()
      .default("groups")
      .describe("Claim with the user's groups. Dots lead into objects, as in `realm_access.roles`."),
    ...access.sessionFields(),
  }),
  secrets: [{ key: "clientSecret", trait: ["GenericOAuthenticator", "client_secret"] }],

  faults(auth, context) {
    const faults = access.accessFaults(auth, context.stack);
    if (!auth.scopes.includes("openid")) {
      faults.push(mismatch(authPath("scopes"), "no openid", "openid, without which the issuer sends no claims"));
    }
    const { endpoints: given } = auth;
    if (given && given.userinfoUrl === undefined && auth.claims === "userinfo") {
      const expected = "the URL of the userinfo endpoint, because claims are read there";
      faults.push(mismatch(authPath("endpoints", "userinfoUrl"), "nothing", expected, "or set claims: idToken"));
    }
    return [...faults, ...plainFaults(auth, context), ...callbackFaults(auth, "the issuer", context)];
  },

  settings(auth, address) {
    const { endpoints: given, claims } = auth;
    const byEmail = auth.usernameClaim === "email" && auth.verifiedEmail === "required";
    const methods = [
      ...(given ? [] : [discovery(auth.issuer, claims)]),
      ...(claims === "idToken" ? [idTokenIssuer(auth.issuer)] : []),
      ...(byEmail ? [VERIFIED_EMAIL] : []),
      groupsInClaim(auth.groupsClaim),
    ];
    const imports = given ? "" : "import requests\nfrom traitlets import default";
    return {
      authenticator: "generic-oauth",
      hub: access.sessionTraits(auth),
      config: {
        GenericOAuthenticator: {
          login_service: auth.label ?? new URL(auth.issuer).hostname,
          ...(given && { authorize_url: given.authorizeUrl, token_url: given.tokenUrl }),
          ...(given && claims === "userinfo" && { userdata_url: given.userinfoUrl }),
          ...(claims === "idToken" && { userdata_from_id_token: true }),
          ...clientTraits(auth, address),
          ...(auth.clientAuthentication === "basic" && { basic_auth: true }),
          ...(!auth.pkce && { enable_pkce: false }),
          scope: auth.scopes,
          ...(Object.keys(auth.authorizeParams).length > 0 && { extra_authorize_params: auth.authorizeParams }),
          username_claim: auth.usernameClaim,
          ...access.accessTraits(auth, address),
          ...access.refreshTraits(auth),
        },
      },
      secretConfig: { GenericOAuthenticator: { client_secret: auth.clientSecret } },
      extraConfig: {
        [LOGIN_SCRIPT]: oauthScript("oauthenticator.generic", "GenericOAuthenticator", methods, imports),
      },
    };
  },
});

/** Tokens and the client secret go to these URLs. */
function plainFaults(
  { issuer, endpoints: given = { authorizeUrl: "", tokenUrl: "" } }: Urls,
  context: LoginContext,
): Fault[] {
  if (isDevelopment(context.stack)) return [];
  const urls = [
    ["issuer", issuer] as const,
    ...Object.entries(given).map(([key, at]) => [`endpoints.${key}`, at] as const),
  ];
  return urls.flatMap(([key, at]) => {
    if (at?.startsWith("http:") !== true) return [];
    const path = authPath(...key.split("."));
    return [
      mismatch(path, foundAt(context.place, path), "a URL with https; http is only for stacks called dev or dev-…"),
    ];
  });
}

interface Urls {
  readonly issuer: string;
  readonly endpoints?: z.output<typeof endpoints> | undefined;
}

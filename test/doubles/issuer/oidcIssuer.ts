import { randomUUID } from "node:crypto";
import { CLIENT, CodeFlow, isClient, refusal, type Answer, type Grant } from "./codeFlow";
import { LoginDouble } from "./loginDouble";

interface Session extends Grant {
  /** What the issuer knew when it issued the token: userinfo answers with that, as Auth0's does. */
  readonly claims: object;
}

interface Options {
  readonly clientAuthentication?: "post" | "basic";
  /** Claims that are in the ID token only, such as groups of Entra ID. Default: none. */
  readonly onlyInIdToken?: readonly string[];
  readonly pkce?: "required" | "optional";
  /** As Google: refresh tokens by `access_type` instead of a scope, which is refused; they are good for many uses. */
  readonly isGoogle?: boolean;
}

/**
 * An OpenID Connect issuer with the endpoints of Auth0 and its refresh token rotation: a refresh token is good for one
 * use, a second use revokes the session. Somebody who is blocked gets no new token; the old access token still works.
 */
export class OidcIssuer extends LoginDouble {
  /** Claims by subject; blocked if undefined. */
  readonly people = new Map<string, Readonly<Record<string, unknown>> | undefined>();
  private readonly flow = new CodeFlow();
  private readonly access = new Map<string, Session>();
  private readonly refresh = new Map<string, Grant & { isUsed: boolean }>();

  constructor(private readonly options: Options = {}) {
    super();
  }

  protected answer(called: string, url: URL, form: URLSearchParams, authorization?: string): Answer {
    const { pkce = "required" } = this.options;
    switch (called) {
      case "GET /.well-known/openid-configuration":
        return { status: 200, body: this.document };
      case "GET /authorize":
        return this.authorize(url, pkce);
      case "POST /oauth/token":
        return this.token(form, authorization);
      case "GET /userinfo":
        return this.userinfo(authorization);
      default:
        return { status: 404 };
    }
  }

  private get document(): object {
    const { url } = this;
    const endpoints = { token_endpoint: `${url}/oauth/token`, userinfo_endpoint: `${url}/userinfo` };
    // Auth0's issuer ends with a slash.
    return { issuer: `${url}/`, authorization_endpoint: `${url}/authorize`, ...endpoints };
  }

  private authorize({ searchParams }: URL, pkce: "required" | "optional"): Answer {
    if (!(searchParams.get("scope") ?? "").split(" ").includes("openid")) return refusal("invalid_scope", "no openid");
    const unknown = /\b(offline_access|groups)\b/.exec(searchParams.get("scope") ?? "");
    if (this.options.isGoogle && unknown) return refusal("invalid_scope", `[${unknown[0]}] is not valid`);
    const answer = this.flow.authorize(searchParams, this.next, { pkce });
    if (answer.status !== 302 || this.people.get(this.next)) return answer;
    const back = new URLSearchParams({ error: "access_denied", state: searchParams.get("state") ?? "" });
    return { status: 302, headers: { location: `${CLIENT.callback}?${back.toString()}` } };
  }

  private token(form: URLSearchParams, authorization: string | undefined): Answer {
    const { clientAuthentication = "post" } = this.options;
    if (!isClient(form, authorization, clientAuthentication)) return refusal("invalid_client", "wrong secret", 401);
    const grant = form.get("grant_type") === "refresh_token" ? this.rotate(form) : this.flow.redeem(form);
    if ("status" in grant) return grant;
    const claims = this.people.get(grant.person);
    if (claims === undefined) return refusal("unauthorized", "user is blocked", 403);
    const [token, next] = [randomUUID(), randomUUID()];
    const hidden = this.options.onlyInIdToken ?? [];
    const shown = Object.fromEntries(Object.entries(claims).filter(([claim]) => !hidden.includes(claim)));
    this.access.set(token, { ...grant, claims: { sub: grant.person, ...shown } });
    const isFirst = form.get("grant_type") !== "refresh_token";
    const isOffline = this.options.isGoogle ? isFirst && grant.isOffline : grant.scopes.includes("offline_access");
    if (isOffline) this.refresh.set(next, { ...grant, isUsed: false });
    const about = { iss: `${this.url}/`, aud: CLIENT.id, sub: grant.person, nonce: grant.nonce };
    const idToken = unsigned({ ...claims, ...about, exp: Math.floor(Date.now() / 1000) + 60 });
    const tokens = { access_token: token, token_type: "Bearer", expires_in: 86_400, id_token: idToken };
    return { status: 200, body: { ...tokens, ...(isOffline && { refresh_token: next }) } };
  }

  private rotate(form: URLSearchParams): Grant | Answer {
    const grant = this.refresh.get(form.get("refresh_token") ?? "");
    if (grant && !grant.isUsed) {
      grant.isUsed = !this.options.isGoogle;
      return grant;
    }
    for (const [token, { person }] of this.refresh) if (person === grant?.person) this.refresh.delete(token);
    return refusal("invalid_grant", "Unknown or invalid refresh token.", 403);
  }

  private userinfo(authorization = ""): Answer {
    const session = this.access.get(authorization.replace(/^Bearer /, ""));
    return session ? { status: 200, body: session.claims } : { status: 401, body: "Unauthorized" };
  }
}

/** The hub gets it from the issuer itself, and so need not check a signature. */
const unsigned = (claims: object): string =>
  [{ alg: "RS256", typ: "JWT" }, claims, {}]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

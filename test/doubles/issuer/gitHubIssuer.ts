import { randomUUID } from "node:crypto";
import { CodeFlow, isClient, refusal, type Answer, type Grant } from "./codeFlow";
import { LoginDouble } from "./loginDouble";

interface Member {
  readonly organizations: readonly string[];
  /** As `organization:team`. */
  readonly teams: readonly string[];
}

const API = "/api/v3";

/** GitHub Enterprise Server, as far as an OAuth app sees it. Its tokens never expire, and are revoked with the user. */
export class GitHubIssuer extends LoginDouble {
  /** By login; suspended if undefined. */
  readonly people = new Map<string, Member | undefined>();
  private readonly flow = new CodeFlow();
  private readonly tokens = new Map<string, Grant>();

  protected answer(called: string, url: URL, form: URLSearchParams, authorization?: string): Answer {
    if (called === "GET /login/oauth/authorize") {
      return this.flow.authorize(url.searchParams, this.next, { pkce: "optional" });
    }
    if (called === "POST /login/oauth/access_token") return this.token(form, authorization);
    const grant = this.tokens.get((authorization ?? "").replace(/^bearer /i, ""));
    const member = grant && this.people.get(grant.person);
    if (!grant || !member) return { status: 401, body: { message: "Bad credentials" } };
    if (called === `GET ${API}/user`) return { status: 200, body: { login: grant.person, email: null } };
    if (called === `GET ${API}/user/orgs`) {
      if (!grant.scopes.includes("read:org")) return { status: 403, body: { message: "You need read:org" } };
      return this.page(
        url,
        member.organizations.map((login) => ({ login })),
      );
    }
    if (called === `GET ${API}/user/teams`) {
      if (!grant.scopes.includes("read:org")) return { status: 404, body: { message: "Not Found" } };
      return this.page(
        url,
        member.teams.map((team) => {
          const [login = "", slug = ""] = team.split(":");
          return { slug, name: `The ${slug}`, organization: { login } };
        }),
      );
    }
    return { status: 404, body: { message: "Not Found" } };
  }

  /** GitHub reports errors with 200. */
  private token(form: URLSearchParams, authorization: string | undefined): Answer {
    if (!isClient(form, authorization, "post")) {
      return refusal("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.", 200);
    }
    const grant = this.flow.redeem(form);
    if ("status" in grant) return refusal("bad_verification_code", "The code passed is incorrect or expired.", 200);
    const token = randomUUID();
    this.tokens.set(token, grant);
    return { status: 200, body: { access_token: token, token_type: "bearer", scope: grant.scopes.join(",") } };
  }

  /** One item a page, so that callers have to follow links. */
  private page(url: URL, all: readonly object[]): Answer {
    const page = Number(url.searchParams.get("page") ?? 1);
    const next = new URL(url);
    next.searchParams.set("page", String(page + 1));
    const headers: Record<string, string> = page < all.length ? { link: `<${next.href}>; rel="next"` } : {};
    return { status: 200, body: all.slice(page - 1, page), headers };
  }
}

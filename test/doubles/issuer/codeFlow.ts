import { createHash, randomUUID } from "node:crypto";

/** The hub as it is registered at an issuer. */
export const CLIENT = {
  id: "client",
  secret: "hunter2hunter2",
  callback: "https://hub.example.com/hub/oauth_callback",
};

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Who logged in, and what was asked for. */
export interface Grant {
  readonly person: string;
  readonly scopes: readonly string[];
  readonly nonce?: string | undefined;
  /** Whether Google is asked for a refresh token. */
  readonly isOffline?: boolean;
}

interface Code extends Grant {
  readonly challenge: string | null;
}

export const refusal = (error: string, description: string, status = 400): Answer => ({
  status,
  body: { error, error_description: description },
});

/** The authorization code flow of RFC 6749 with PKCE, as strict as the issuers. */
export class CodeFlow {
  private readonly codes = new Map<string, Code>();

  /** Sends `person` back with a code. Issuers show an error page if the client or its callback is wrong. */
  authorize(query: URLSearchParams, person: string, { pkce }: { readonly pkce: "required" | "optional" }): Answer {
    const callback = query.get("redirect_uri");
    if (query.get("client_id") !== CLIENT.id) return refusal("invalid_client", "unknown client", 401);
    if (callback !== CLIENT.callback)
      return refusal("invalid_request", `the callback ${callback} is not registered`, 403);
    if (query.get("response_type") !== "code") return refusal("unsupported_response_type", "only code is supported");
    if (!query.get("state")) return refusal("invalid_request", "there is no state");
    const challenge = query.get("code_challenge");
    const isChallenged = challenge !== null && query.get("code_challenge_method") === "S256";
    if (pkce === "required" && !isChallenged) return refusal("invalid_request", "S256 is required");
    const scopes = (query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");
    const isOffline = query.get("access_type") === "offline" && query.get("prompt") === "consent";
    const code = randomUUID();
    this.codes.set(code, { person, scopes, challenge, nonce: query.get("nonce") ?? undefined, isOffline });
    const back = new URLSearchParams({ code, state: query.get("state") ?? "" });
    return { status: 302, headers: { location: `${callback}?${back.toString()}` } };
  }

  /** Of a code, which is good for one try. */
  redeem(form: URLSearchParams): Grant | Answer {
    const given = form.get("code") ?? "";
    const code = this.codes.get(given);
    this.codes.delete(given);
    if (code === undefined) return refusal("invalid_grant", "the code is unknown or used");
    if (form.get("redirect_uri") !== CLIENT.callback) return refusal("invalid_grant", "another callback");
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (code.challenge !== null && verifier !== code.challenge)
      return refusal("invalid_grant", "a wrong code verifier");
    return code;
  }
}

/** Whether the token endpoint was called by the client. Its secret is in one place, never in both. */
export function isClient(form: URLSearchParams, authorization: string | undefined, by: "post" | "basic"): boolean {
  const sent = [form.get("client_id"), form.get("client_secret")];
  const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64")}`;
  return by === "basic"
    ? authorization === basic && sent[1] === null
    : authorization === undefined && sent[0] === CLIENT.id && sent[1] === CLIENT.secret;
}

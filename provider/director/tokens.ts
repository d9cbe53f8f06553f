/** Tokens by OAuth 2.0 client credentials. */

import { exchange, shownUrl, responseText, type Trust } from "../../foundation/net/http";
import { Guard } from "../../foundation/net/address";
import { objectIn } from "../../foundation/json/isObject";
import { DirectorUnreachable } from "./errors";

export interface ClientCredentials {
  readonly tokenUrl: string;
  readonly clientId: string;
  /** Secret. */
  readonly clientSecret: string;
}

const SCOPES = "runtime:read runtime:write";
/** A token is replaced this long before it expires. */
const EARLY_MS = 10_000;

/** Caches a token until shortly before it expires. */
export class DirectorTokens {
  #known: { readonly token: string; readonly until: number } | undefined;

  constructor(
    private readonly credentials: ClientCredentials,
    private readonly trust: Trust,
    private readonly signal: AbortSignal,
  ) {}

  async token(): Promise<string> {
    if (this.#known && Date.now() < this.#known.until) return this.#known.token;
    const { token, seconds } = await this.#ask();
    this.#known = { token, until: Date.now() + seconds * 1000 - EARLY_MS };
    return token;
  }

  /** Discards a rejected token. */
  refused(): void {
    this.#known = undefined;
  }

  async #ask(): Promise<{ token: string; seconds: number }> {
    const { tokenUrl, clientId, clientSecret } = this.credentials;
    const url = new URL(tokenUrl);
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(":");
    const body = new URLSearchParams({ grant_type: "client_credentials", scope: SCOPES }).toString();
    const answer = await exchange({
      url,
      guard: new Guard(url),
      authorization: `Basic ${Buffer.from(pair).toString("base64")}`,
      headers: { accept: "application/json" },
      payload: { method: "POST", type: "application/x-www-form-urlencoded", body: Buffer.from(body) },
      trust: this.trust,
      signal: this.signal,
    });
    const text = await responseText(answer, "the answer of the token endpoint");
    const place = shownUrl(url);
    if (answer.status !== 200) {
      const denied = answer.status === 400 || answer.status === 401 || answer.status === 403;
      const hint = denied ? "; check clientId, clientSecret and the scopes runtime:read and runtime:write" : "";
      const passing = answer.status === 429 || answer.status >= 500;
      throw new DirectorUnreachable(`${place} gave no token: HTTP status ${answer.status}${hint}`, passing);
    }
    const { access_token: token, expires_in: seconds } = objectIn(text);
    // The response is not quoted, because it may contain a part of a token.
    if (typeof token !== "string" || token === "" || typeof seconds !== "number" || seconds <= 0) {
      throw new DirectorUnreachable(`${place} gave no token; expected JSON with access_token and expires_in`, false);
    }
    return { token, seconds };
  }
}

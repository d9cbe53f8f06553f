/** Obtains the credentials that a registry requests. */

import { objectIn } from "../json/isObject";
import { Refused, Unavailable } from "../net/errors";
import type { Guard } from "../net/address";
import { exchange, expectStatus, withRetries, shownUrl, responseText } from "../net/http";
import type { RegistryOptions } from "./options";

const FORM = { method: "POST", type: "application/x-www-form-urlencoded" } as const;

export class RegistryTokens {
  /** `scope`: the access that a token grants, such as `repository:team/shop:pull`. */
  constructor(
    private readonly base: URL,
    private readonly scope: string,
    private readonly guard: Guard,
    private readonly options: RegistryOptions,
  ) {}

  /** Returns the `Authorization` header for a `WWW-Authenticate` challenge; undefined without credentials for it. */
  async authorization(challenge: string): Promise<string | undefined> {
    const { username, password, identityToken, registryToken } = this.options.credentials ?? {};
    if (registryToken !== undefined) return `Bearer ${registryToken}`;
    const basic =
      username === undefined ? undefined : `Basic ${Buffer.from(`${username}:${password ?? ""}`).toString("base64")}`;
    const bearer = /\bbearer\s+(.*)/is.exec(challenge)?.[1];
    if (bearer === undefined) return basic;
    const asked = new Map(
      [...bearer.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key.toLowerCase(), value]),
    );
    const realm = this.#realm(asked.get("realm") ?? "");
    const fields = new URLSearchParams({ scope: this.scope });
    const service = asked.get("service");
    if (service !== undefined) fields.set("service", service);
    return this.#token(realm, fields, basic, identityToken);
  }

  /**
   * The registry names the token server, as the protocol intends. A registry with HTTPS must not name a server without
   * it.
   */
  #realm(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const safe = url?.protocol === "https:" || (url?.protocol === "http:" && this.base.protocol === "http:");
    if (url !== undefined && safe && url.username === "") return url;
    const found = url === undefined ? "nowhere" : `${url.protocol}//${url.host}`;
    throw new Refused(
      `${this.base.host} sends to ${found} for tokens; expected a URL that begins with ${this.base.protocol}//`,
    );
  }

  async #token(
    realm: URL,
    fields: URLSearchParams,
    basic: string | undefined,
    identityToken: string | undefined,
  ): Promise<string> {
    const { trust, signal, tries } = this.options;
    const common = { guard: this.guard, trust, signal };
    const url = new URL(realm);
    if (identityToken === undefined) for (const [key, value] of fields) url.searchParams.set(key, value);
    const form = identityToken === undefined ? undefined : new URLSearchParams(fields);
    if (form !== undefined && identityToken !== undefined) {
      form.set("grant_type", "refresh_token");
      form.set("client_id", "stackyard");
      form.set("refresh_token", identityToken);
    }
    const payload = form && { ...FORM, body: Buffer.from(form.toString()) };
    const request = { ...common, url, authorization: form ? undefined : basic, payload };
    const response = await withRetries(async () => expectStatus(realm, await exchange(request)), signal, tries);
    const text = await responseText(response, "the answer with a token");
    const token = tokenIn(text);
    if (token === undefined) throw new Unavailable(`${shownUrl(realm)} gives no token`, false);
    return `Bearer ${token}`;
  }
}

/** Undefined if there is none. The caller reports it without the text, which may contain part of a secret. */
function tokenIn(text: string): string | undefined {
  const { token, access_token: access } = objectIn(text);
  const found = token ?? access;
  return typeof found === "string" && /^[\x21-\x7e]+$/.test(found) ? found : undefined;
}

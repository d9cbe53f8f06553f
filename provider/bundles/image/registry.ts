/** One conversation with a registry about one repository. */

import { createHash } from "node:crypto";
import { whole } from "../archive/streams";
import { Refused, Unavailable } from "../errors";
import { LIMITS } from "../limits";
import { Guard } from "../net/address";
import { expectContent, get, patiently, shownUrl, textOf, type Answer, type Trust } from "../net/http";
import type { RegistryCredentials } from "./credentials";
import { DIGEST, DOCKER_HUB, type Repository } from "./reference";

export interface RegistryOptions {
  readonly trust: Trust;
  /** Whether it speaks http. Default: only on this machine. */
  readonly plainHttp?: boolean;
  readonly credentials?: RegistryCredentials;
  /** How often what may pass is tried. Default: as often as anything else. */
  readonly tries?: number;
  readonly signal?: AbortSignal;
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** `sha256:…` or `sha512:…` of bytes, in the way of the digest that they are to have. */
export const digestLike = (wanted: string, bytes: Uint8Array): string => {
  const [algorithm = "sha256"] = wanted.split(":");
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
};

export class Registry {
  readonly #base: URL;
  readonly #guard: Guard;
  #authorization: string | undefined;

  constructor(
    private readonly place: Repository,
    private readonly options: RegistryOptions,
  ) {
    const { registry, repository } = place;
    const scheme = (options.plainHttp ?? LOCAL.test(registry)) ? "http" : "https";
    const host = registry === DOCKER_HUB ? "registry-1.docker.io" : registry;
    this.#base = new URL(`${scheme}://${host}/v2/${repository}/`);
    this.#guard = new Guard(this.#base);
  }

  /** Tries work with this registry as often as that makes sense. */
  patiently<T>(work: () => Promise<T>): Promise<T> {
    return patiently(work, this.options.signal, this.options.tries);
  }

  /** A manifest by tag or digest, with the digest of its bytes, which is the given one if one was given. */
  async manifest(
    reference: string,
    accept: readonly string[],
  ): Promise<{ bytes: Buffer; digest: string; type: string }> {
    return this.patiently(async () => {
      const url = new URL(`manifests/${reference}`, this.#base);
      const answer = await this.#get(url, accept.join(", "));
      const bytes = await whole(answer.body, LIMITS.answerBytes, "the manifest");
      const wanted = DIGEST.test(reference) ? reference : "sha256:";
      const digest = digestLike(wanted, bytes);
      if (DIGEST.test(reference) && digest !== reference) {
        throw new Refused(`${shownUrl(url)} has the digest ${digest}; expected ${reference}`);
      }
      return { bytes, digest, type: (answer.headers["content-type"] ?? "").split(";", 1)[0]?.trim() ?? "" };
    });
  }

  /** A blob as it comes; whoever reads it compares the digest. */
  async blob(digest: string): Promise<Answer> {
    return this.#get(new URL(`blobs/${digest}`, this.#base), "*/*");
  }

  async #get(url: URL, accept: string): Promise<Answer> {
    const { trust, signal } = this.options;
    const ask = (): Promise<Answer> =>
      get({ url, guard: this.#guard, headers: { accept }, authorization: this.#authorization, trust, signal });
    let answer = await ask();
    if (answer.status === 401) {
      answer.body.destroy();
      this.#authorization = await this.#authorize(answer.headers["www-authenticate"] ?? "");
      answer = await ask();
    }
    return expectContent(url, answer);
  }

  /** What the header `WWW-Authenticate` asks for; undefined where there is nothing to give. */
  async #authorize(challenge: string): Promise<string | undefined> {
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
    const fields = new URLSearchParams({ scope: `repository:${this.place.repository}:pull` });
    const service = asked.get("service");
    if (service !== undefined) fields.set("service", service);
    return this.#token(realm, fields, basic, identityToken);
  }

  /** Credentials go to whom the registry names for tokens, as everywhere; but never in the clear where it is encrypted itself. */
  #realm(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const safe = url?.protocol === "https:" || (url?.protocol === "http:" && this.#base.protocol === "http:");
    if (url !== undefined && safe && url.username === "") return url;
    const found = url === undefined ? "nowhere" : `${url.protocol}//${url.host}`;
    throw new Refused(
      `${this.#base.host} sends to ${found} for tokens; expected a URL that begins with ${this.#base.protocol}//`,
    );
  }

  async #token(
    realm: URL,
    fields: URLSearchParams,
    basic: string | undefined,
    identityToken: string | undefined,
  ): Promise<string> {
    const { trust, signal } = this.options;
    const common = { guard: this.#guard, trust, signal };
    const url = new URL(realm);
    if (identityToken === undefined) for (const [key, value] of fields) url.searchParams.set(key, value);
    const form = identityToken === undefined ? undefined : new URLSearchParams(fields);
    if (form !== undefined && identityToken !== undefined) {
      form.set("grant_type", "refresh_token");
      form.set("client_id", "stackyard");
      form.set("refresh_token", identityToken);
    }
    const answer = await this.patiently(async () =>
      expectContent(
        realm,
        await get({ ...common, url, authorization: form ? undefined : basic, form: form?.toString() }),
      ),
    );
    const text = await textOf(answer, "the answer with a token");
    const token = tokenIn(text);
    if (token === undefined) throw new Unavailable(`${shownUrl(realm)} gives no token`, false);
    return `Bearer ${token}`;
  }
}

function tokenIn(text: string): string | undefined {
  try {
    const { token, access_token: access } = JSON.parse(text) as Record<string, unknown>;
    const found = token ?? access;
    return typeof found === "string" && /^[\x21-\x7e]+$/.test(found) ? found : undefined;
  } catch {
    return undefined; // Told by the caller; the text may be half a secret.
  }
}

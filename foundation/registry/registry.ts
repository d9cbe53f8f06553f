/** Client for one repository of an OCI registry. */

import { createHash } from "node:crypto";
import { readAll } from "../net/streams";
import { Refused } from "../net/errors";
import { RESPONSE_BYTES } from "../net/bytes";
import { Guard } from "../net/address";
import { exchange, expectStatus, redirectTarget, withRetries, shownUrl } from "../net/http";
import type { HttpResponse, Request } from "../net/http";
import { DIGEST, DOCKER_HUB, type Repository } from "./reference";
import { RegistryTokens } from "./tokens";
import type { RegistryOptions } from "./options";

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/;

/** Computes the digest of bytes with the algorithm of `wanted`: `sha256:…` or `sha512:…`. */
export const digestLike = (wanted: string, bytes: Uint8Array): string => {
  const [algorithm = "sha256"] = wanted.split(":");
  return `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;
};

export class Registry {
  readonly #base: URL;
  readonly #guard: Guard;
  readonly #tokens: RegistryTokens;
  #authorization: string | undefined;

  constructor(
    place: Repository,
    private readonly options: RegistryOptions,
  ) {
    const { registry, repository } = place;
    const { certificateData, insecureSkipTLSVerify } = options.trust;
    // TLS settings imply HTTPS, also for a registry on this machine.
    const secured = certificateData !== undefined || insecureSkipTLSVerify === true;
    const scheme = (options.plainHttp ?? (LOCAL.test(registry) && !secured)) ? "http" : "https";
    const host = registry === DOCKER_HUB ? "registry-1.docker.io" : registry;
    this.#base = new URL(`${scheme}://${host}/v2/${repository}/`);
    this.#guard = new Guard(this.#base);
    const scope = `repository:${repository}:${options.writing === true ? "pull,push" : "pull"}`;
    this.#tokens = new RegistryTokens(this.#base, scope, this.#guard, options);
  }

  /** Retries transient errors, as often as the options allow. */
  withRetries<T>(work: () => Promise<T>): Promise<T> {
    return withRetries(work, this.options.signal, this.options.tries);
  }

  /**
   * Fetches a manifest by tag or digest, and returns the digest of its bytes. Throws {@link Refused} if it differs from
   * the requested digest.
   */
  async manifest(
    reference: string,
    accept: readonly string[],
  ): Promise<{ bytes: Buffer; digest: string; type: string }> {
    return this.withRetries(async () => {
      const url = new URL(`manifests/${reference}`, this.#base);
      const response = await this.#get(url, accept.join(", "));
      const bytes = await readAll(response.body, RESPONSE_BYTES, "the manifest");
      const wanted = DIGEST.test(reference) ? reference : "sha256:";
      const digest = digestLike(wanted, bytes);
      if (DIGEST.test(reference) && digest !== reference) {
        throw new Refused(`${shownUrl(url)} has the digest ${digest}; expected ${reference}`);
      }
      return { bytes, digest, type: (response.headers["content-type"] ?? "").split(";", 1)[0]?.trim() ?? "" };
    });
  }

  /** Fetches a blob as a stream. The reader must verify the digest. */
  async blob(digest: string): Promise<HttpResponse> {
    return this.#get(new URL(`blobs/${digest}`, this.#base), "*/*");
  }

  /** Whether the registry has the blob. An unclear response counts as no, because sending a blob twice does no harm. */
  async hasBlob(digest: string): Promise<boolean> {
    const url = new URL(`blobs/${digest}`, this.#base);
    const response = await this.withRetries(() => this.#ask({ url, payload: { method: "HEAD" } }));
    response.body.destroy();
    return response.status === 200;
  }

  /** Uploads a blob in one piece. */
  async sendBlob(digest: string, bytes: Uint8Array, sent?: (bytes: number) => void): Promise<void> {
    await this.withRetries(async () => {
      const begin = new URL("blobs/uploads/", this.#base);
      const begun = expectStatus(begin, await this.#ask({ url: begin, payload: { method: "POST" } }), 202);
      begun.body.destroy();
      const url = redirectTarget(begin, begun.headers.location ?? "");
      url.searchParams.set("digest", digest);
      const payload = { method: "PUT", type: "application/octet-stream", body: bytes, sent } as const;
      expectStatus(url, await this.#ask({ url, payload }), 201).body.destroy();
    });
  }

  /** Uploads a manifest under a tag or its digest. The registry must have the blobs that it references. */
  async sendManifest(reference: string, type: string, bytes: Uint8Array): Promise<void> {
    await this.withRetries(async () => {
      const url = new URL(`manifests/${reference}`, this.#base);
      const response = expectStatus(url, await this.#ask({ url, payload: { method: "PUT", type, body: bytes } }), 201);
      response.body.destroy();
      const [found, sent] = [response.headers["docker-content-digest"], digestLike("sha256:", bytes)];
      if (found === undefined || found === sent) return;
      throw new Refused(`${shownUrl(url)} keeps what was sent as ${String(found).slice(0, 100)}; expected ${sent}`);
    });
  }

  async #get(url: URL, accept: string): Promise<HttpResponse> {
    return expectStatus(url, await this.#ask({ url, headers: { accept } }));
  }

  /** Sends a request, and retries it once with a new token if the token is missing or expired. */
  async #ask(request: Pick<Request, "url" | "headers" | "payload">): Promise<HttpResponse> {
    const { trust, signal } = this.options;
    const ask = (): Promise<HttpResponse> => {
      // A registry may redirect uploads to another host, which must not receive the credentials.
      const authorization = request.url.origin === this.#base.origin ? this.#authorization : undefined;
      return exchange({ ...request, guard: this.#guard, authorization, trust, signal });
    };
    const response = await ask();
    // A storage host must not decide where the credentials are sent.
    if (response.status !== 401 || response.url.origin !== this.#base.origin) return response;
    response.body.destroy();
    this.#authorization = await this.#tokens.authorization(response.headers["www-authenticate"] ?? "");
    return ask();
  }
}

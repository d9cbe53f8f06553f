import { Guard } from "../../../foundation/net/address";
import { MIB } from "../../../foundation/net/bytes";
import { exchange, expectStatus, withRetries } from "../../../foundation/net/http";
import { readAll } from "../../../foundation/net/streams";
import type { Credentials } from "../charts";

/** Maximum sizes. Archives have a few hundred kilobytes; the largest indexes of public repositories about 30 MiB. */
export const ARCHIVE_BYTES = 64 * MIB;
export const INDEX_BYTES = 128 * MIB;
/** Timeout of a whole response. */
const WHOLE_MS = 120_000;

/** Downloads from one Helm repository. The guard applies to all URLs that the repository refers to. */
export class Downloads {
  readonly #guard: Guard;

  constructor(
    private readonly base: URL,
    private readonly credentials: Credentials | undefined,
  ) {
    this.#guard = new Guard(base);
  }

  /**
   * Returns the body of a successful response. An index may name archives on other servers, which must not receive the
   * password.
   */
  async get(url: URL, most: number, what: string): Promise<Buffer> {
    const { credentials } = this;
    const authorization = credentials && url.origin === this.base.origin ? basic(credentials) : undefined;
    return withRetries(async () => {
      const signal = AbortSignal.timeout(WHOLE_MS);
      const response = expectStatus(url, await exchange({ url, guard: this.#guard, authorization, signal }));
      return readAll(response.body, most, what);
    });
  }
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

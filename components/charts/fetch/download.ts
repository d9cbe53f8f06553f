import { Guard } from "../../../foundation/net/address";
import { MIB } from "../../../foundation/net/bytes";
import { exchange, expectStatus, patiently } from "../../../foundation/net/http";
import { whole } from "../../../foundation/net/streams";
import type { Credentials } from "../charts";

/** Archives have some hundred kilobytes; the largest indexes of public repositories some 30 MiB. */
export const ARCHIVE_BYTES = 64 * MIB;
export const INDEX_BYTES = 128 * MIB;
/** How long all of an answer may take. */
const WHOLE_MS = 120_000;

/** What is asked of one Helm repository. Whatever it leads to is guarded as coming from it. */
export class Downloads {
  readonly #guard: Guard;

  constructor(
    private readonly base: URL,
    private readonly credentials: Credentials | undefined,
  ) {
    this.#guard = new Guard(base);
  }

  /** The body of a successful answer. An index may name archives on other servers, which have no business with the password. */
  async get(url: URL, most: number, what: string): Promise<Buffer> {
    const { credentials } = this;
    const authorization = credentials && url.origin === this.base.origin ? basic(credentials) : undefined;
    return patiently(async () => {
      const signal = AbortSignal.timeout(WHOLE_MS);
      const answer = expectStatus(url, await exchange({ url, guard: this.#guard, authorization, signal }));
      return whole(answer.body, most, what);
    });
  }
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

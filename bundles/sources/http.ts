/** An archive on a web server. */

import { Meter } from "../../foundation/net/streams";
import { unpack } from "../archive/unpack";
import { Refused } from "../errors";
import { LIMITS } from "../limits";
import { Guard } from "../../foundation/net/address";
import { exchange, expectStatus, withRetries, shownUrl, type Trust } from "../../foundation/net/http";
import { parseUrl } from "../../foundation/net/url";
import { TreeBuilder } from "../tree/builder";
import { cleanDirectory } from "../tree/paths";
import { TRUST, type SourceAccess, type SourceState, type SourceKind } from "./kind";

export interface HttpSource extends Trust {
  readonly type: "http";
  /** URL of a tar, tar.gz, tar.zst or zip archive; http or https. */
  readonly url: string;
  /** Required digest of the archive, as `sha256:…`. Default: the current one. */
  readonly digest?: string;
  /** Folder in the archive that is the bundle's root. Default: the archive's root. */
  readonly directory?: string;
  /** Only sent to the server in the URL. */
  readonly auth?: HttpAuth;
}

/** A user with a password, or a token. */
interface HttpAuth {
  readonly username?: string;
  /** Secret. */
  readonly password?: string;
  /** Secret; sent as `Bearer`. */
  readonly token?: string;
}

export const httpSource: SourceKind<HttpSource> = {
  fields: {
    url: "text",
    digest: "text",
    directory: "text",
    auth: { username: "text", password: "text", token: "text" },
    ...TRUST,
  },
  needed: ["url"],
  describe: ({ url }) => shownUrl(urlOf(url)),
  cacheKey: ({ directory }) => ({ type: "http", directory: cleanDirectory(directory) }),
  resolve: async (source, access) => (source.digest === undefined ? load(source, access) : { digest: source.digest }),
  fetch: async (source, digest, access) => {
    const found = await load(source, access);
    if (found.digest === digest) return found.tree;
    throw new Refused(`the archive has the digest ${found.digest}; expected ${digest}`);
  },
};

const urlOf = (text: string): URL => parseUrl(text, ["https:", "http:"]);

/** Value of the Authorization header; undefined without credentials. */
function authorizationOf(auth: HttpAuth | undefined): string | undefined {
  if (auth?.token !== undefined) return `Bearer ${auth.token}`;
  if (auth?.username === undefined && auth?.password === undefined) return undefined;
  return `Basic ${Buffer.from(`${auth.username ?? ""}:${auth.password ?? ""}`).toString("base64")}`;
}

/** Unpacks during the download. The content is not used before its digest is verified. */
function load(source: HttpSource, access: SourceAccess): Promise<Required<SourceState>> {
  const url = urlOf(source.url);
  const { signal, keep } = access;
  const authorization = authorizationOf(source.auth);
  return withRetries(async () => {
    const request = { url, guard: new Guard(url), authorization, trust: source, signal };
    const response = expectStatus(url, await exchange(request));
    const builder = new TreeBuilder({ directory: cleanDirectory(source.directory), keep, image: false });
    const meter = new Meter(LIMITS.archiveBytes, "the archive");
    try {
      await unpack(meter.read(response.body), builder);
    } finally {
      response.body.destroy();
    }
    return { digest: meter.digest(), tree: builder.build() };
  }, signal);
}

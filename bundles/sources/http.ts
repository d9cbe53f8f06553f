/** An archive on a web server. */

import type { SourceOf } from "../../foundation/bundleSources";
import { Meter } from "../../foundation/net/streams";
import { unpack } from "../archive/unpack";
import { Refused } from "../errors";
import { LIMITS } from "../limits";
import { Guard } from "../../foundation/net/address";
import { exchange, expectStatus, withRetries, shownUrl } from "../../foundation/net/http";
import { parseUrl } from "../../foundation/net/url";
import { cleanDirectory } from "../tree/paths";
import { readTree } from "../tree/readTree";
import type { FileTree } from "../tree/tree";
import type { SourceAccess, SourceState, SourceKind } from "./kind";

export type HttpSource = SourceOf<"http">;

export const httpSource: SourceKind<HttpSource> = {
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
function authorizationOf(auth: HttpSource["auth"]): string | undefined {
  if (auth?.token !== undefined) return `Bearer ${auth.token}`;
  if (auth?.username === undefined && auth?.password === undefined) return undefined;
  return `Basic ${Buffer.from(`${auth.username ?? ""}:${auth.password ?? ""}`).toString("base64")}`;
}

/** Unpacks during the download. The content is not used before its digest is verified. */
function load(source: HttpSource, access: SourceAccess): Promise<SourceState & { readonly tree: FileTree }> {
  const url = urlOf(source.url);
  const { signal, keep } = access;
  const authorization = authorizationOf(source.auth);
  return withRetries(async () => {
    let digest = "";
    const tree = await readTree({ directory: cleanDirectory(source.directory), keep }, async (builder) => {
      const request = { url, guard: new Guard(url), authorization, trust: source, signal };
      const response = expectStatus(url, await exchange(request));
      const meter = new Meter(LIMITS.archiveBytes, "the archive");
      try {
        await unpack(meter.read(response.body), builder);
      } finally {
        response.body.destroy();
      }
      const found = meter.digest();
      if (digest !== "" && digest !== found) throw new Refused("the archive changed while it was read; try again");
      digest = found;
    });
    return { digest, tree };
  }, signal);
}

import { Guard } from "../../../foundation/net/address";
import { MIB } from "../../../foundation/net/bytes";
import { exchange, expectStatus, withRetries, responseText, type HttpResponse } from "../../../foundation/net/http";
import { Meter } from "../../../foundation/net/streams";
import { textAt } from "../../../kubernetes/objects/objects";
import type { Machine } from "../../../provider/resources/terasliceJob/master/assets";
import { Failure, UsageError } from "../../../foundation/errors";
import { isObject, type Json } from "../../../foundation/json/isObject";

/** Downloads asset bundles, with a limited size, and only from public addresses. */

/** Upstream bundles have 1 to 60 MiB; a master stores each one as a single document. */
const MOST_BYTES = 256 * MIB;

interface Download {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  /** Expected digest as `sha256:…`, if known. */
  readonly digest?: string;
}

export function downloadAsset({ url, headers, authorization, digest }: Download): Promise<Buffer> {
  return withRetries(async () => {
    const request = { url, guard: new Guard(url), headers, authorization };
    const response: HttpResponse = expectStatus(url, await exchange(request));
    const meter = new Meter(MOST_BYTES, "the asset");
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of meter.read(response.body)) chunks.push(chunk);
    } finally {
      response.body.destroy();
    }
    if (digest === undefined || digest === meter.digest()) return Buffer.concat(chunks);
    throw new Failure(`the asset has the digest ${meter.digest()}; expected ${digest}, as its release says`);
  });
}

/** `github:OWNER/REPOSITORY`, or that with `@TAG`. */
const REPOSITORY = /^github:([\w.-]+)\/([\w.-]+?)(?:@([\w.+-]+))?$/;

interface GitHub {
  readonly api: string;
  /** For private repositories, and for a higher rate limit. */
  readonly token?: string;
}

/** Reads GitHub's standard variables. */
export const gitHubOf = ({ GITHUB_API_URL, GITHUB_TOKEN }: NodeJS.ProcessEnv): GitHub => ({
  api: GITHUB_API_URL ?? "https://api.github.com",
  ...(GITHUB_TOKEN !== undefined && GITHUB_TOKEN !== "" && { token: GITHUB_TOKEN }),
});

/**
 * Downloads the bundle of a release for the master's platform: of the latest release without prereleases, or of the
 * given tag.
 */
export async function downloadRelease(source: string, machine: Machine, { api, token }: GitHub): Promise<Buffer> {
  const [, owner = "", repository = "", tag] = REPOSITORY.exec(source) ?? [];
  if (owner === "") {
    throw new UsageError(`asset: found ${JSON.stringify(source)}; expected github:OWNER/REPOSITORY or …@TAG`);
  }
  const which = tag === undefined ? "latest" : `tags/${encodeURIComponent(tag)}`;
  const url = new URL(`${api.replace(/\/$/, "")}/repos/${owner}/${repository}/releases/${which}`);
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const release = await withRetries(async () => {
    const headers = { accept: "application/vnd.github+json" };
    const response = await exchange({ url, guard: new Guard(url), headers, authorization });
    const text = await responseText(expectStatus(url, response), "the release");
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  });
  const file = fileFor(release, machine, source);
  const digest = textAt(file, "digest");
  return downloadAsset({
    url: new URL(textAt(file, "url") ?? ""),
    // Otherwise GitHub returns a JSON description of the file.
    headers: { accept: "application/octet-stream" },
    authorization,
    ...(digest?.startsWith("sha256:") && { digest }),
  });
}

/** Asset releases have one file per Node version: a bundle for all platforms, or for one platform and architecture. */
function fileFor(release: Json, machine: Machine, source: string): Json {
  const files = (Array.isArray(release["assets"]) ? release["assets"] : []).filter(isObject);
  const { nodeVersion, platform = "linux", arch = "x64" } = machine;
  if (nodeVersion === undefined) {
    throw new Failure(
      `the master does not say its version of Node, which ${source} has files by; name a file's address`,
    );
  }
  const ends = [`node-${nodeVersion}-bundle.zip`, `node-${nodeVersion}-${platform}-${arch}.zip`];
  const found = ends.map((end) => files.find((file) => textAt(file, "name")?.endsWith(end))).find(Boolean);
  if (found) return found;
  const names = files.flatMap((file) => textAt(file, "name") ?? []);
  throw new Failure(
    `the release ${textAt(release, "tag_name") ?? ""} of ${source} has no file that ends in ${ends.join(" or ")}; it has ` +
      (names.length === 0 ? "none" : names.join(", ")),
  );
}

import { isIP } from "node:net";
import { signedRequest } from "../aws/signedRequest";
import { Failure } from "../../foundation/errors";
import type { LockStore } from "./lockStore";

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly etag?: string;
}

/**
 * Keeps locks in the bucket of the states. Conditional requests make S3 create a key only once, and delete it only
 * unchanged.
 */
export class S3Locks implements LockStore {
  private constructor(
    private readonly bucket: URL,
    /** Prefix of all keys. */
    private readonly prefix: string,
    private readonly region: string,
    private readonly profile: string | undefined,
  ) {}

  /** Parses URLs of the CLI: `s3://bucket/prefix?region=…&profile=…&endpoint=…&s3ForcePathStyle=true`. */
  static open(url: string, env: NodeJS.ProcessEnv = process.env): S3Locks {
    const { hostname: name, pathname, searchParams } = new URL(url);
    const region = searchParams.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
    if (!region) throw new Failure(`PULUMI_BACKEND_URL: found ${url} without a region; expected ?region=…`);
    const endpoint = searchParams.get("endpoint") ?? env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
    const folder = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
    return new S3Locks(
      bucketUrl(name, region, endpoint, searchParams),
      folder === "" ? ".pulumi/" : `${folder}/.pulumi/`,
      region,
      searchParams.get("profile") ?? env["AWS_PROFILE"],
    );
  }

  async create(name: string, text: string): Promise<boolean> {
    // 412: the key exists; 409: another process is writing it.
    const { status } = await this.ask("PUT", this.key(name), [200, 409, 412], { "if-none-match": "*" }, text);
    return status === 200;
  }

  async read(name: string): Promise<string | undefined> {
    return (await this.get(name))?.text;
  }

  async names(folder: string): Promise<string[]> {
    const found: string[] = [];
    for (let after = ""; ;) {
      const listed = new URL(this.bucket);
      const query = { "list-type": "2", prefix: this.prefix + folder, "encoding-type": "url" };
      for (const [key, value] of Object.entries(query)) listed.searchParams.set(key, value);
      if (after !== "") listed.searchParams.set("start-after", after);
      const { text } = await this.ask("GET", listed, [200]);
      const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = ""]) => decodeURIComponent(key));
      found.push(...keys.map((key) => key.slice(this.prefix.length)));
      after = keys.at(-1) ?? "";
      if (after === "" || !text.includes("<IsTruncated>true</IsTruncated>")) return found;
    }
  }

  async removeIf(name: string, text: string): Promise<boolean> {
    const found = await this.get(name);
    if (found?.text !== text) return false;
    const condition: Record<string, string> = found.etag === undefined ? {} : { "if-match": found.etag };
    const { status } = await this.ask("DELETE", this.key(name), [200, 204, 404, 409, 412], condition);
    return status < 300;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async get(name: string): Promise<Answer | undefined> {
    const answer = await this.ask("GET", this.key(name), [200, 404]);
    return answer.status === 404 ? undefined : answer;
  }

  private key(name: string): URL {
    const url = new URL(this.bucket);
    const path = `${this.prefix}${name}`.split("/").map(encodeURIComponent).join("/");
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${path}`;
    return url;
  }

  private async ask(
    method: string,
    url: URL,
    expected: readonly number[],
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<Answer> {
    const access = { service: "s3", region: this.region, ...(this.profile && { profile: this.profile }) };
    const request = { method, url, headers, ...(body !== undefined && { body }) };
    const response = await signedRequest(request, access);
    const text = await response.text();
    const { status } = response;
    if (!expected.includes(status) || (status === 404 && text.includes("NoSuchBucket"))) {
      throw new Failure(`S3 answers ${status} to ${method} ${url.host}${url.pathname}: ${text.slice(0, 500)}`);
    }
    const etag = response.headers.get("etag");
    return { status, text, ...(etag !== null && { etag }) };
  }
}

/**
 * S3's wildcard certificate does not cover bucket names with dots. Custom endpoints are used as the URL specifies; an IP
 * address has no subdomains, so the SDK of the CLI puts the bucket into the path.
 */
function bucketUrl(name: string, region: string, endpoint: string | undefined, given: URLSearchParams): URL {
  const isOn = (key: string): boolean => given.get(key) === "true";
  const scheme = isOn("disableSSL") || isOn("disable_https") ? "http" : "https";
  const end = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const host = endpoint ?? `s3.${region}.${end}`;
  const url = new URL(host.includes("://") ? host : `${scheme}://${host}`);
  const isAddress = isIP(url.hostname.replace(/^\[|\]$/g, "")) > 0;
  if (isOn("s3ForcePathStyle") || isOn("use_path_style") || name.includes(".") || isAddress) url.pathname = `/${name}`;
  else url.hostname = `${name}.${url.hostname}`;
  return url;
}

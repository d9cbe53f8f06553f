import type { Credentials } from "../charts";
import { ask, basic, shown, Unreachable, type Answer } from "./http";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** The archive of a chart from an OCI registry: `oci://host/path` holds it as `path/<name>:<version>`. */
export async function fromOciRegistry(
  registry: string,
  name: string,
  version: string,
  credentials?: Credentials,
): Promise<Buffer> {
  const { host, hostname, pathname } = new URL(registry.replace(/^oci:/, "https:"));
  // As Helm and Docker do: what runs on this machine has no certificate.
  const scheme = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? "http" : "https";
  const repository = `${pathname.replace(/^\/+|\/+$/g, "")}/${name}`.replace(/^\//, "");
  const base = `${scheme}://${host}/v2/${repository}`;
  const session = new Session(credentials);
  // A version with build metadata has a `+`, which no tag may have.
  const manifestUrl = `${base}/manifests/${version.replaceAll("+", "_")}`;
  const manifest = JSON.parse((await session.get(manifestUrl, MANIFEST)).toString("utf8")) as {
    layers?: { mediaType?: string; digest?: string }[];
  };
  const layer = manifest.layers?.find(({ mediaType }) => mediaType === CHART_LAYER);
  if (layer?.digest === undefined) throw new Unreachable(`${shown(manifestUrl)} is no Helm chart`);
  return session.get(`${base}/blobs/${layer.digest}`, "*/*");
}

/** One conversation with a registry; public ones too ask for a token, which anybody gets. */
class Session {
  private authorization: string | undefined;

  constructor(private readonly credentials: Credentials | undefined) {}

  async get(url: string, accept: string): Promise<Buffer> {
    let answer = await this.ask(url, accept);
    if (answer.status === 401 && this.authorization === undefined) {
      this.authorization = await authorize(answer.headers.get("www-authenticate") ?? "", this.credentials);
      if (this.authorization !== undefined) answer = await this.ask(url, accept);
    }
    if (answer.status !== 200) throw new Unreachable(`${shown(url)} answers with HTTP status ${answer.status}`);
    return answer.bytes;
  }

  private ask(url: string, accept: string): Promise<Answer> {
    return ask(url, { accept, ...(this.authorization === undefined ? {} : { authorization: this.authorization }) });
  }
}

/** What the challenge `Basic …` or `Bearer realm="…",service="…",scope="…"` asks for. */
async function authorize(challenge: string, credentials: Credentials | undefined): Promise<string | undefined> {
  const own = credentials && basic(credentials);
  if (/^basic\b/i.test(challenge)) return own;
  const parts = new Map([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]));
  const realm = parts.get("realm");
  if (!/^bearer /i.test(challenge) || realm === undefined || !URL.canParse(realm)) return undefined;
  const url = new URL(realm);
  for (const key of ["service", "scope"]) if (parts.has(key)) url.searchParams.set(key, parts.get(key) ?? "");
  const { status, bytes } = await ask(url.href, own === undefined ? {} : { authorization: own });
  if (status !== 200) return undefined;
  const { token, access_token: access } = JSON.parse(bytes.toString("utf8")) as Record<string, string | undefined>;
  return token === undefined && access === undefined ? undefined : `Bearer ${token ?? access}`;
}

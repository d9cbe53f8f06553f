import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { create } from "tar";
import { CHARTS, versionOf, type ChartName, type ChartVersions } from "../../components/charts/table";

const CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const PREFIX = "/v2/mirror/charts/";

export const sha256 = (bytes: Buffer | string): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Packs a double chart of `test/doubles/charts/<name>` reproducibly. */
export async function packDouble(name: ChartName): Promise<Buffer> {
  const cwd = join(__dirname, "charts");
  if (!existsSync(join(cwd, name, "Chart.yaml"))) throw new Error(`test/doubles/charts/${name} has no Chart.yaml`);
  const options = { cwd, gzip: true, portable: true, mtime: new Date(0) };
  const chunks: Buffer[] = [];
  for await (const chunk of create(options, [name])) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/**
 * Simulates the sources of upstream charts: a Helm repository (`url`) and a registry (`ociUrl`) on one local port,
 * which serve the double charts under the versions in the platform's table, or others.
 */
export class ChartRepository {
  /** Requested paths, in order. */
  readonly requests: string[] = [];
  /** The Authorization header of each request. */
  readonly authorizations: (string | undefined)[] = [];
  private server: Server | undefined;
  private host = "";

  /** `password`: of the user `reader`; without it, no login is required. `versions`: override those of the table. */
  constructor(
    private readonly archives: Readonly<Partial<Record<ChartName, Buffer>>>,
    private readonly password?: string,
    private readonly versions: ChartVersions = {},
  ) {}

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      this.requests.push(request.url ?? "");
      this.authorizations.push(request.headers.authorization);
      this.answer(request.url ?? "", request.headers.authorization, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    this.server = server;
    this.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }

  get url(): string {
    return `http://${this.host}/charts`;
  }

  get ociUrl(): string {
    return `oci://${this.host}/mirror/charts`;
  }

  private answer(path: string, authorization: string | undefined, response: ServerResponse): void {
    const isReader = authorization === `Basic ${Buffer.from(`reader:${this.password}`).toString("base64")}`;
    if (this.password !== undefined && !isReader && /^\/(charts\/|token\?)/.test(path)) {
      return void response.writeHead(401, { "www-authenticate": 'Basic realm="charts"' }).end();
    }
    if (path === "/charts/index.yaml") return void response.end(this.index());
    if (path.startsWith("/token?")) return void response.end(JSON.stringify({ token: "anybody" }));
    if (path.startsWith(PREFIX) && authorization !== "Bearer anybody") {
      const challenge = `Bearer realm="http://${this.host}/token",service="double",scope="repository:charts:pull"`;
      return void response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    const body = this.archiveAt(path) ?? this.manifestAt(path);
    if (body === undefined) return void response.writeHead(404).end();
    response.end(body);
  }

  /** Also contains entries of other versions and charts, as a real index does. */
  private index(): string {
    const entries = Object.keys(this.archives).map((name) => [
      name,
      [
        { name, version: "0.0.1", urls: [`${name}-0.0.1.tgz`] },
        { name, version: versionOf(name as ChartName, this.versions), urls: [this.fileName(name as ChartName)] },
      ],
    ]);
    return JSON.stringify({ apiVersion: "v1", entries: Object.fromEntries(entries) as unknown });
  }

  private archiveAt(path: string): Buffer | undefined {
    return this.find(([name, bytes]) => {
      return path === `/charts/${this.fileName(name)}` || path === `${PREFIX}${name}/blobs/${sha256(bytes)}`;
    })?.[1];
  }

  private manifestAt(path: string): string | undefined {
    const found = this.find(([name]) => path === `${PREFIX}${name}/manifests/${versionOf(name, this.versions)}`);
    if (found === undefined) return undefined;
    const layers = [{ mediaType: CHART_LAYER, digest: sha256(found[1]), size: found[1].length }];
    return JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, layers });
  }

  private fileName(name: ChartName): string {
    return `${name}-${versionOf(name, this.versions)}.tgz`;
  }

  private find(matches: (entry: [ChartName, Buffer]) => boolean): [ChartName, Buffer] | undefined {
    return (Object.entries(this.archives) as [ChartName, Buffer][]).find(matches);
  }
}

/** Name of an archive in a repository and in a mirror folder. */
export const fileName = (name: ChartName): string => `${name}-${CHARTS[name].version}.tgz`;

import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { dump } from "js-yaml";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { registry } from "../../tools/registry";
import { tarOf, type Entry } from "../../unit/bundles/archives";
import { portToBind } from "../../../toolchain/yard/ports";

export const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

export const OCI = {
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar",
};
export const DOCKER = {
  index: "application/vnd.docker.distribution.manifest.list.v2+json",
  manifest: "application/vnd.docker.distribution.manifest.v2+json",
  config: "application/vnd.docker.container.image.v1+json",
  layer: "application/vnd.docker.image.rootfs.diff.tar",
};

export interface Layer {
  readonly bytes: Buffer;
  readonly type: string;
  /** Digest of what it unpacks to. */
  readonly content: string;
}

/** Docker's type of a packed layer has a dot where OCI's has a plus. */
export function layerOf(entries: readonly Entry[], types = OCI, pack: (bytes: Buffer) => Buffer = gzipSync): Layer {
  const tar = tarOf(entries);
  return { bytes: pack(tar), type: `${types.layer}${types === OCI ? "+" : "."}gzip`, content: digestOf(tar) };
}

export const PASSWORD = "baggins";
/** A bcrypt hash of that. */
const USERS = "frodo:$2y$05$926C3y10Quzn/LnqQH86VOEVh/18T6RnLaS.khre96jLNL/7e.K5W\n";

/** What `Basic` is followed by. */
export const basic = (password = PASSWORD): string => Buffer.from(`frodo:${password}`).toString("base64");

/** The part of a registry's configuration by which only that user gets in. */
export function withUsers(folder: string): object {
  writeFileSync(join(folder, "users"), USERS);
  return { htpasswd: { realm: "x", path: join(folder, "users") } };
}

/** A real registry on a port of its own. */
export class TestRegistry {
  private constructor(
    readonly host: string,
    readonly folder: string,
    private readonly child: ChildProcess,
    private readonly authorization: string | undefined,
  ) {}

  /** `auth` is that part of its configuration, made for the folder it gets; `authorization` is how `push` proves who it is. */
  static async start(auth?: (folder: string) => object, authorization?: string): Promise<TestRegistry> {
    const { programs } = await ensureTools(projectRoot(), [registry]);
    const folder = mkdtempSync(join(tmpdir(), "stackyard-registry-"));
    const host = `127.0.0.1:${await portToBind()}`;
    const config = {
      version: 0.1,
      log: { level: "error" },
      storage: { filesystem: { rootdirectory: join(folder, "data") } },
      http: { addr: host, secret: "x" },
      ...(auth ? { auth: auth(folder) } : {}),
    };
    writeFileSync(join(folder, "config.yaml"), dump(config));
    const env = { PATH: process.env["PATH"], OTEL_TRACES_EXPORTER: "none" };
    const child = spawn(programs["registry"] ?? "", ["serve", join(folder, "config.yaml")], { env, stdio: "ignore" });
    for (let attempt = 0; ; attempt++) {
      const there = await fetch(`http://${host}/v2/`).then(
        (answer) => answer.status < 500,
        () => false,
      );
      if (there) return new TestRegistry(host, folder, child, authorization);
      if (attempt > 200 || child.exitCode !== null) throw new Error("the registry does not come up");
      await sleep(50);
    }
  }

  stop(): void {
    this.child.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Where the registry keeps a blob. */
  file(digest: string): string {
    const hex = digest.replace("sha256:", "");
    return join(this.folder, "data/docker/registry/v2/blobs/sha256", hex.slice(0, 2), hex, "data");
  }

  async blob(repository: string, bytes: Buffer): Promise<string> {
    const digest = digestOf(bytes);
    const begun = await this.#send("POST", `/v2/${repository}/blobs/uploads/`);
    const upload = new URL(begun.headers.get("location") ?? "", `http://${this.host}`);
    upload.searchParams.set("digest", digest);
    await this.#send("PUT", upload.pathname + upload.search, bytes, "application/octet-stream");
    return digest;
  }

  async manifest(
    repository: string,
    tag: string | undefined,
    value: { mediaType: string },
  ): Promise<{ digest: string; size: number }> {
    const bytes = Buffer.from(JSON.stringify(value));
    const digest = digestOf(bytes);
    await this.#send("PUT", `/v2/${repository}/manifests/${tag ?? digest}`, bytes, value.mediaType);
    return { digest, size: bytes.length };
  }

  /** An image of these layers; its digest. */
  async image(
    repository: string,
    tag: string | undefined,
    layers: readonly Layer[],
    types = OCI,
  ): Promise<{ digest: string; size: number }> {
    const config = Buffer.from(
      JSON.stringify({
        architecture: "amd64",
        os: "linux",
        rootfs: { type: "layers", diff_ids: layers.map(({ content }) => content) },
      }),
    );
    return this.manifest(repository, tag, {
      mediaType: types.manifest,
      schemaVersion: 2,
      config: { mediaType: types.config, digest: await this.blob(repository, config), size: config.length },
      layers: await Promise.all(
        layers.map(async ({ bytes, type }) => ({
          mediaType: type,
          digest: await this.blob(repository, bytes),
          size: bytes.length,
        })),
      ),
    } as { mediaType: string });
  }

  async #send(method: string, path: string, body?: Buffer, type?: string): Promise<Response> {
    const headers: Record<string, string> = {};
    if (type !== undefined) headers["content-type"] = type;
    if (this.authorization !== undefined) headers["authorization"] = this.authorization;
    const answer = await fetch(`http://${this.host}${path}`, { method, headers, body: body && new Uint8Array(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }
}

/** Something in front of a registry that answers for it where it wants to. */
export async function inFront(
  host: string,
  meddle: (path: string, response: http.ServerResponse, request: http.IncomingMessage) => boolean,
  tls?: { readonly key: string; readonly cert: string },
) {
  const asked: { method: string; path: string; headers: http.IncomingHttpHeaders }[] = [];
  const listener: http.RequestListener = (request, response) => {
    const { url: path = "", method = "", headers } = request;
    asked.push({ method, path, headers });
    if (meddle(path, response, request)) return;
    const onward = http.request(
      `http://${host}${path}`,
      { headers: { ...headers, ...(tls && { "x-forwarded-proto": "https" }) }, method },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(onward);
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { host: `127.0.0.1:${port}`, asked, close };
}

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** A web server on this machine that is gone when the tests of the suite are done. */
export interface Site {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** What was asked for, in order. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage["headers"] }[];
}

/** A certificate for this machine that nobody knows, made in this folder. */
export function selfSigned(folder: string): { key: string; cert: string; certFile: string } {
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const files = ["-keyout", keyFile, "-out", certFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject], {
    stdio: "ignore",
  });
  return { key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8"), certFile };
}

/** Answers by path: bytes, or whatever the listener does. */
export type Pages = Record<string, Buffer | string | RequestListener>;

export async function serve(pages: Pages, tls?: { key: string; cert: string }): Promise<Site & { close(): void }> {
  const asked: { path: string; headers: IncomingMessage["headers"] }[] = [];
  const listener: RequestListener = (request, response) => {
    const { pathname: path } = new URL(request.url ?? "", "http://x");
    asked.push({ path, headers: request.headers });
    const page = pages[path];
    if (typeof page === "function") return void page(request, response);
    response.writeHead(page === undefined ? 404 : 200).end(page ?? "not found");
  };
  const server: Server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `${tls ? "https" : "http"}://127.0.0.1:${port}`, asked, close };
}

/** Adds an image with a tar as its only layer to the pages of a registry; its digest. `at`: `repository[:tag]`. */
export function addImage(pages: Pages, at: string, layer: Buffer): string {
  const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const [repository, tag] = at.split(":");
  const described = (content: Buffer, type: string) => {
    pages[`/v2/${repository}/blobs/${digestOf(content)}`] = content;
    return { mediaType: `application/vnd.oci.image.${type}`, digest: digestOf(content), size: content.length };
  };
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const [config, layers] = [described(Buffer.from("{}"), "config.v1+json"), [described(layer, "layer.v1.tar")]];
  const manifest = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers }));
  for (const name of [digestOf(manifest), tag])
    pages[`/v2/${repository}/manifests/${name}`] = (_, response) =>
      void response.writeHead(200, { "content-type": mediaType }).end(manifest);
  return digestOf(manifest);
}

export const redirect =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { location }).end();

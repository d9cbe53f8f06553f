import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { downloadAsset, downloadRelease, gitHubOf } from "../../../cli/teraslice/assets/download";
import { MIB } from "../../../foundation/net/bytes";
import { parseUrl } from "../../../foundation/net/url";

const ZIP = Buffer.from("PK\u0003\u0004 an asset");
const DIGEST = `sha256:${createHash("sha256").update(ZIP).digest("hex")}`;

describe("a downloaded asset", () => {
  let server: Server;
  let base: string;
  const seen: { path: string; accept?: string; authorization?: string }[] = [];
  let answer: RequestListener;

  before(async () => {
    server = createServer((request, response) => {
      const { accept, authorization } = request.headers;
      seen.push({ path: request.url ?? "", accept, authorization });
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void seen.splice(0));
  after(() => new Promise((resolve) => server.close(resolve)));

  it("is the response of the server, after redirects", async () => {
    answer = ({ url }, response) =>
      url === "/a" ? response.writeHead(302, { location: "/b" }).end() : response.end(ZIP);
    assert.deepEqual(await downloadAsset({ url: new URL(`${base}/a`) }), ZIP);
  });

  it("is limited in size, and is not read from a private address", async () => {
    answer = ({ url }, response) => {
      if (url === "/metadata") return void response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
      response.on("error", () => undefined);
      const piece = Buffer.alloc(8 * MIB);
      const send = (): void => {
        if (!response.destroyed) response.write(piece, () => setImmediate(send));
      };
      send();
    };
    await assert.rejects(downloadAsset({ url: new URL(`${base}/endless`) }), /the asset has more than 256 MiB/);
    await assert.rejects(downloadAsset({ url: new URL(`${base}/metadata`) }), /leads to 169\.254\.169\.254/);
    assert.throws(() => parseUrl("http://example.com/a.zip", ["https:"]), /expected one that begins with https:/);
  });

  it("is rejected if the server does not have it", async () => {
    answer = (_request, response) => response.writeHead(404).end();
    await assert.rejects(downloadAsset({ url: new URL(`${base}/a`) }), /\/a answers with HTTP status 404/);
  });

  const release = (...files: readonly string[]): void => {
    answer = ({ url = "" }, response) => {
      if (url.startsWith("/download")) return void response.end(ZIP);
      const assets = files.map((name) => ({ name, url: `${base}/download/${name}`, digest: DIGEST }));
      response.end(JSON.stringify({ tag_name: "v1.2.3", assets }));
    };
  };

  it("is the GitHub release file for the master's Node version, preferably a bundle", async () => {
    release("a-v1.2.3-node-22-bundle.zip", "a-v1.2.3-node-24-linux-x64.zip", "a-v1.2.3-node-24-bundle.zip");
    const machine = { nodeVersion: 24, platform: "linux", arch: "x64" };
    const from = (source: string, on = machine) => downloadRelease(source, on, { api: base, token: "t0ken" });
    assert.deepEqual(await from("github:acme/a-assets"), ZIP);
    assert.deepEqual(seen, [
      {
        path: "/repos/acme/a-assets/releases/latest",
        accept: "application/vnd.github+json",
        authorization: "Bearer t0ken",
      },
      {
        path: "/download/a-v1.2.3-node-24-bundle.zip",
        accept: "application/octet-stream",
        authorization: "Bearer t0ken",
      },
    ]);
    await from("github:acme/a-assets@v1.2.3", { ...machine, nodeVersion: 22 });
    assert.equal(seen[2]?.path, "/repos/acme/a-assets/releases/tags/v1.2.3");
    assert.equal(seen[3]?.path, "/download/a-v1.2.3-node-22-bundle.zip");
    await assert.rejects(
      from("github:acme/a-assets", { ...machine, nodeVersion: 20 }),
      /release v1\.2\.3 of github:acme\/a-assets has no file that ends in node-20-bundle\.zip or .*; it has a-v1/,
    );
    await assert.rejects(downloadRelease("github:acme", {}, { api: base }), /expected github:OWNER\/REPOSITORY/);
    await assert.rejects(downloadRelease("github:acme/a", {}, { api: base }), /does not say its version of Node/);
  });

  it("is rejected if its digest differs from that of its release", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    answer = (_request, response) => response.end(ZIP);
    await assert.rejects(
      downloadAsset({ url: new URL(base), digest }),
      /the asset has the digest .*; expected sha256:0/,
    );
    assert.deepEqual(await downloadAsset({ url: new URL(base), digest: DIGEST }), ZIP);
  });

  it("comes from the GitHub API that the environment names", () => {
    assert.deepEqual(gitHubOf({}), { api: "https://api.github.com" });
    assert.deepEqual(gitHubOf({ GITHUB_API_URL: base, GITHUB_TOKEN: "t" }), { api: base, token: "t" });
  });
});

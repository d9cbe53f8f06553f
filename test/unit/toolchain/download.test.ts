import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { ChecksumMismatch, Unreachable, checksumOf, download, reachable } from "../../../toolchain/bootstrap/download";

const CONTENT = "the program";
const sum = (algorithm: string, text = CONTENT): string => createHash(algorithm).update(text).digest("hex");

describe("a download of an official archive", () => {
  let server: http.Server;
  let base: string;
  let folder: string;
  let target: string;
  let answer: http.RequestListener;

  beforeEach(async () => {
    answer = (request, response) => {
      if (request.url === "/tool.tar.gz") response.end(CONTENT);
      else if (request.url === "/SUMS")
        response.end(`${sum("sha256", "other")}  other.tar.gz\n${sum("sha256")}  tool.tar.gz\n`);
      else response.writeHead(404).end();
    };
    server = http.createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "stackyard-download-"));
    target = path.join(folder, "file");
  });

  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    fs.rmSync(folder, { recursive: true });
  });

  const get = (file = "tool.tar.gz", stallMs?: number): Promise<void> =>
    download({ url: `${base}/${file}`, checksums: `${base}/SUMS`, target, stallMs });

  it("is kept if it has the published checksum", async () => {
    await get();
    assert.equal(fs.readFileSync(target, "utf8"), CONTENT);
  });

  it("is deleted if its checksum differs, and the error names both checksums", async () => {
    const honest = answer;
    answer = (request, response) =>
      request.url === "/tool.tar.gz" ? response.end("something else") : honest(request, response);
    await assert.rejects(get(), (error: Error) => {
      assert.ok(error instanceof ChecksumMismatch);
      assert.ok(error.message.includes(sum("sha256", "something else")) && error.message.includes(sum("sha256")));
      return true;
    });
    assert.equal(fs.existsSync(target), false);
  });

  it("is rejected without a published checksum", async () => {
    await assert.rejects(get("unknown.tar.gz"), ChecksumMismatch);
    assert.equal(fs.existsSync(target), false);
  });

  it("is unreachable if the file does not exist", async () => {
    const honest = answer;
    answer = (request, response) =>
      request.url === "/SUMS" ? honest(request, response) : response.writeHead(404).end();
    await assert.rejects(get(), (error: Error) => error instanceof Unreachable && error.message.includes("404"));
  });

  it("is stopped and removed if it stalls", async () => {
    const honest = answer;
    answer = (request, response) => (request.url === "/SUMS" ? honest(request, response) : response.write("the pro"));
    const started = Date.now();
    await assert.rejects(get("tool.tar.gz", 200), Unreachable);
    assert.ok(Date.now() - started < 3000);
    assert.equal(fs.existsSync(target), false);
  });

  it("fails if the connection breaks", async () => {
    const honest = answer;
    answer = (request, response) => {
      if (request.url === "/SUMS") return void honest(request, response);
      response.writeHead(200, { "content-length": "100" });
      response.write("the pro", () => response.destroy());
    };
    await assert.rejects(get(), Unreachable);
    assert.equal(fs.existsSync(target), false);
  });

  it("is not attempted if the host does not answer in time", async () => {
    answer = () => undefined;
    const started = Date.now();
    assert.equal(await reachable(base, 200), false);
    assert.ok(Date.now() - started < 2000);
  });

  it("is not attempted if the host refuses connections, and each host is asked only once", async () => {
    let asked = 0;
    answer = (_, response) => {
      asked++;
      response.writeHead(403).end();
    };
    assert.equal(await reachable(`${base}/one`), true, "any answer means it can be reached");
    assert.equal(await reachable(`${base}/two`), true);
    assert.equal(asked, 1);
    assert.equal(await reachable("http://127.0.0.1:1/"), false);
  });
});

describe("a published checksum", () => {
  it("is found by the file's name, with or without the mark for binary files", () => {
    assert.deepEqual(checksumOf(`${sum("sha256")} *tool\n${sum("sha256", "x")}  tool.sig\n`, "tool"), {
      algorithm: "sha256",
      hex: sum("sha256"),
    });
  });

  it("is recognized as SHA-512 by its length", () => {
    assert.equal(checksumOf(`${sum("sha512")}  ./tool\n`, "tool")?.algorithm, "sha512");
  });

  it("can lack a file name only if it is the only line", () => {
    assert.equal(checksumOf(sum("sha256"), "tool")?.hex, sum("sha256"));
    assert.equal(checksumOf(`${sum("sha256")}\n${sum("sha256", "x")}\n`, "tool"), undefined);
  });

  it("is read from GitHub's description of a release", () => {
    const release = JSON.stringify({
      assets: [
        { name: "tool", digest: `sha256:${sum("sha256")}` },
        { name: "old", digest: null },
      ],
    });
    assert.equal(checksumOf(release, "tool")?.hex, sum("sha256"));
    assert.equal(checksumOf(release, "old"), undefined);
  });
});

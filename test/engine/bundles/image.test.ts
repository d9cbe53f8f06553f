import assert from "node:assert/strict";
import { createSign, generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { openBundle, resolveSource } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import { pushImage } from "../../../bundles/image/push";
import type { ImageSource } from "../../../bundles/sources/image";
import { tgzOf, type Entry } from "../../unit/bundles/archives";
import { serve } from "../../unit/bundles/server";
import { cacheIn, treeOf } from "../../unit/bundles/samples";
import { basic, digestOf, DOCKER, inFront, layerOf, OCI, PASSWORD, TestRegistry, withUsers } from "./registry";

const file = (path: string, content = path): Entry => ({ path, content });

describe("a bundle in a registry", () => {
  let registry: TestRegistry;
  let folder: string;
  let caches = 0;
  const before_ = { ...process.env };
  before(async function () {
    this.timeout(300_000);
    folder = mkdtempSync(join(tmpdir(), "stackyard-images-"));
    // Nothing of the one who runs these tests.
    process.env["DOCKER_CONFIG"] = join(folder, "docker");
    delete process.env["REGISTRY_AUTH_FILE"];
    registry = await TestRegistry.start();
  });
  after(() => {
    registry.stop();
    rmSync(folder, { recursive: true, force: true });
    for (const key of ["DOCKER_CONFIG", "REGISTRY_AUTH_FILE"]) {
      if (before_[key] === undefined) delete process.env[key];
      else process.env[key] = before_[key];
    }
  });
  beforeEach(() => caches++);

  const access = () => ({ base: "/", keep: ["manifests"], cache: cacheIn(join(folder, `cache-${caches}`)) });
  const at = (ref: string, more: Partial<ImageSource> = {}): ImageSource => ({ type: "image", ref, ...more });
  const filesOf = async (source: ImageSource): Promise<Record<string, string>> =>
    Object.fromEntries(
      [...(await openBundle([source], access())).tree.files].map(([path, bytes]) => [path, bytes.toString()]),
    );
  const refused = (source: ImageSource, expected: RegExp): Promise<void> =>
    assert.rejects(openBundle([source], access()), (error) => {
      assert.ok(error instanceof Refused, (error as Error).stack);
      assert.match(error.message, expected);
      return true;
    });
  const unavailable = (source: ImageSource, expected: RegExp): Promise<void> =>
    assert.rejects(openBundle([source], access()), (error) => {
      assert.ok(error instanceof Unavailable, (error as Error).stack);
      assert.match(error.message, expected);
      return true;
    });

  for (const [name, types] of Object.entries({ OCI, DOCKER })) {
    it(`merges its layers in order (${name})`, async () => {
      const layers = [
        layerOf(
          [
            file("etc/passwd"),
            { path: "etc/mtab", type: "SymbolicLink", target: "/proc/mounts" },
            file("manifests/a", "1"),
            file("manifests/b", "1"),
          ],
          types,
        ),
        layerOf(
          [file("manifests/a", "2"), file("manifests/.wh.b", ""), file("manifests/c", "2"), file("manifests/d", "2")],
          types,
        ),
        layerOf(
          [
            file("manifests/e", "3"),
            file("manifests/.wh..wh..opq", ""),
            { path: "manifests/f", type: "SymbolicLink", target: "e" },
          ],
          types,
        ),
        layerOf(
          [
            { path: "manifests/g", type: "Link", target: "manifests/e" },
            file("manifests/h", "4"),
            file("manifests/.wh.h", ""),
          ],
          types,
        ),
      ];
      await registry.image("layers", "two", layers.slice(0, 2), types);
      await registry.image("layers", "four", layers, types);
      assert.deepEqual(await filesOf(at(`${registry.host}/layers:two`)), {
        "manifests/a": "2",
        "manifests/c": "2",
        "manifests/d": "2",
      });
      assert.deepEqual(await filesOf(at(`${registry.host}/layers:four`)), {
        "manifests/e": "3",
        "manifests/f": "3",
        "manifests/g": "3",
        "manifests/h": "4",
      });
    });
  }

  it("reads a subfolder with zstd and uncompressed layers, and honors a removed parent folder", async () => {
    const plain = { ...layerOf([file("x/y/manifests/a")], OCI, (bytes) => bytes), type: OCI.layer };
    const zstd = { ...layerOf([file("x/y/manifests/b")], OCI, zstdCompressSync), type: `${OCI.layer}+zstd` };
    await registry.image("deep", "two", [plain, zstd]);
    assert.deepEqual(Object.keys(await filesOf(at(`${registry.host}/deep:two`, { directory: "x/y" }))), [
      "manifests/a",
      "manifests/b",
    ]);
    await registry.image("deep", "gone", [plain, layerOf([file(".wh.x", "")]), zstd]);
    assert.deepEqual(Object.keys(await filesOf(at(`${registry.host}/deep:gone`, { directory: "x/y" }))), [
      "manifests/b",
    ]);
    await registry.image("deep", "file", [plain, layerOf([file("x/y", "a file now")])]);
    assert.deepEqual(await filesOf(at(`${registry.host}/deep:file`, { directory: "x/y" })), {});
  });

  it("selects the image for its platform from an index", async () => {
    for (const types of [OCI, DOCKER]) {
      const child = async (name: string, platform: object, more = {}) => ({
        mediaType: types.manifest,
        ...(await registry.image("many", undefined, [layerOf([file(`manifests/${name}`)], types)], types)),
        platform,
        ...more,
      });
      const manifests = [
        await child("unknown", { os: "unknown", architecture: "unknown" }),
        await child(
          "attest",
          { os: "linux", architecture: "amd64" },
          { annotations: { "vnd.docker.reference.type": "attestation-manifest" } },
        ),
        await child("arm", { os: "linux", architecture: "arm", variant: "v7" }),
        await child("amd", { os: "linux", architecture: "amd64" }),
      ];
      const index = { mediaType: types.index, schemaVersion: 2, manifests };
      const { digest, size } = await registry.manifest("many", "index", index);
      const ref = `${registry.host}/many:index`;
      assert.deepEqual(Object.keys(await filesOf(at(ref))), ["manifests/amd"]);
      assert.equal((await resolveSource(at(ref), access())).digest, digest);
      for (const platform of ["linux/arm", "linux/arm/v7"]) {
        assert.deepEqual(Object.keys(await filesOf(at(ref, { platform }))), ["manifests/arm"]);
      }
      await refused(
        at(ref, { platform: "linux/s390x" }),
        /no image for linux\/s390x; it has linux\/arm\/v7, linux\/amd64; set platform/,
      );
      await registry.manifest("many", "nested", {
        ...index,
        manifests: [{ mediaType: types.index, digest, size, platform: { os: "linux", architecture: "amd64" } }],
      } as typeof index);
      assert.deepEqual(Object.keys(await filesOf(at(`${registry.host}/many:nested`))), ["manifests/amd"]);
    }
  });

  it("follows a moved tag, and reads the old image by digest from the cache", async () => {
    const old = await registry.image("moving", "v1", [layerOf([file("manifests/old")])]);
    const source = at(`${registry.host}/moving:v1`);
    assert.equal((await resolveSource(source, access())).digest, old.digest);
    assert.deepEqual(Object.keys(await filesOf(source)), ["manifests/old"]);
    const fresh = await registry.image("moving", "v1", [layerOf([file("manifests/new")])]);
    assert.equal((await resolveSource(source, access())).digest, fresh.digest);
    assert.deepEqual(Object.keys(await filesOf(at(`127.0.0.1:9/moving:v1@${old.digest}`))), ["manifests/old"]);
  });

  it("reports the address of a missing image", async () => {
    await unavailable(
      at(`${registry.host}/layers:nowhere`),
      /^127\.0\.0\.1:\d+\/layers:nowhere: http:\/\/127\.0\.0\.1:\d+\/v2\/layers\/manifests\/nowhere answers with HTTP status 404$/,
    );
    await refused(at("Upper/case"), /ref: found "Upper\/case"; expected \[registry\/\]path/);
  });

  it("rejects content that does not match its digest", async () => {
    const layer = layerOf([file("manifests/a", "a".repeat(200))]);
    const other = tgzOf([file("manifests/a", "b".repeat(200))]);
    const { digest } = await registry.image("wrong", "v1", [layer]);
    const good = readFileSync(registry.file(digestOf(layer.bytes)));
    writeFileSync(registry.file(digestOf(layer.bytes)), other);
    const meddled =
      other.length === good.length
        ? /the layer has the digest sha256:/
        : /the layer has the digest|has more than|ends after/;
    await assert.rejects(openBundle([at(`${registry.host}/wrong:v1`)], access()), meddled);
    writeFileSync(registry.file(digestOf(layer.bytes)), good);
    await registry.image("wrong", "lie", [{ ...layer, content: `sha256:${"1".repeat(64)}` }]);
    await refused(
      at(`${registry.host}/wrong:lie`),
      /unpacks to sha256:\w+; expected sha256:1{64}, as the image's config says/,
    );
    const body = readFileSync(registry.file(digest), "utf8");
    const server = await inFront(registry.host, (path, response) => {
      if (!path.includes("/manifests/")) return false;
      response
        .writeHead(200, { "content-type": OCI.manifest, "docker-content-digest": digest })
        .end(body.replace("{", "{ "));
      return true;
    });
    await refused(at(`${server.host}/wrong@${digest}`), /has the digest sha256:\w+; expected sha256:/);
    server.close();
    assert.equal(await access().cache.find("x"), undefined);
  });

  it("retries after a cut connection and gives up in the end", async () => {
    const layer = layerOf([file("manifests/a", "x".repeat(5000))], OCI, (bytes) => bytes);
    await registry.image("cut", "v1", [{ ...layer, type: OCI.layer }]);
    let cuts = 0;
    let most = 2;
    const server = await inFront(registry.host, (path, response) => {
      if (!path.endsWith(`/blobs/${digestOf(layer.bytes)}`) || cuts >= most) return false;
      cuts++;
      response.writeHead(200, { "content-length": String(layer.bytes.length) });
      response.write(layer.bytes.subarray(0, 2000), () => response.destroy());
      return true;
    });
    assert.deepEqual(Object.keys(await filesOf(at(`${server.host}/cut:v1`))), ["manifests/a"]);
    assert.equal(cuts, 2);
    caches++;
    most = Infinity;
    await unavailable(at(`${server.host}/cut:v1`), /the connection was cut/);
    server.close();
  });

  it("prefers a mirror and falls back to the registry", async () => {
    const mirror = await TestRegistry.start();
    try {
      const only = await registry.image("team/here", "v1", [layerOf([file("manifests/origin")])]);
      await mirror.image("cache/team/there", "v1", [layerOf([file("manifests/mirror")])]);
      const mirrors = ["127.0.0.1:9", `${mirror.host}/cache`];
      assert.equal(
        (await resolveSource(at(`${registry.host}/team/here:v1`, { mirrors }), access())).digest,
        only.digest,
      );
      assert.deepEqual(Object.keys(await filesOf(at(`${registry.host}/team/here:v1`, { mirrors }))), [
        "manifests/origin",
      ]);
      assert.deepEqual(Object.keys(await filesOf(at("127.0.0.1:9/team/there:v1", { mirrors }))), ["manifests/mirror"]);
      await unavailable(
        at("127.0.0.1:9/team/nowhere:v1", { mirrors }),
        /127\.0\.0\.1:9\/v2\/team\/nowhere.*; .*cache\/team\/nowhere.*404; .*127\.0\.0\.1:9/,
      );
      await refused(at("127.0.0.1:9/a:v1", { mirrors: ["https://x"] }), /mirrors: found "https:\/\/x"; expected host/);
    } finally {
      mirror.stop();
    }
  });

  describe("with authentication", () => {
    const dockerConfig = (host: string, password = PASSWORD): string =>
      JSON.stringify({ auths: { [host]: { auth: basic(password) } } });
    let closed: TestRegistry;
    before(async () => {
      closed = await TestRegistry.start(withUsers, `Basic ${basic()}`);
      await closed.image("team/secret", "v1", [layerOf([file("manifests/a")])]);
    });
    after(() => closed.stop());

    it("reads user name and password from a pull secret", async () => {
      const source = at(`${closed.host}/team/secret:v1`);
      assert.deepEqual(Object.keys(await filesOf({ ...source, dockerConfig: dockerConfig(closed.host) })), [
        "manifests/a",
      ]);
      caches++;
      await unavailable(source, /answers with HTTP status 401; check its credentials/);
      const wrong = { ...source, dockerConfig: dockerConfig(closed.host, "wrong-secret") };
      await unavailable(wrong, /HTTP status 401/);
      await assert.rejects(
        openBundle([wrong], access()),
        (error: Error) => !error.message.includes("wrong-secret") && !error.message.includes(basic("wrong-secret")),
      );
      await refused(
        { ...source, dockerConfig: "{ a secret" },
        /^(?!.*secret.*secret).*dockerConfig: found a text that is no JSON object/,
      );
    });

    it("reads user name and password from the user's own files and credential helpers", async () => {
      const docker = join(folder, "docker");
      const source = at(`${closed.host}/team/secret:v1`);
      writeFileSync(join(folder, "auth.json"), dockerConfig(`${closed.host}/team`));
      process.env["REGISTRY_AUTH_FILE"] = join(folder, "auth.json");
      assert.deepEqual(Object.keys(await filesOf(source)), ["manifests/a"]);
      delete process.env["REGISTRY_AUTH_FILE"];
      caches++;
      rmSync(docker, { recursive: true, force: true });
      const bin = mkdtempSync(join(folder, "bin-"));
      writeFileSync(
        join(bin, "docker-credential-ours"),
        `#!/bin/sh\nread server\necho '{"ServerURL":"x","Username":"frodo","Secret":"${PASSWORD}"}'\n[ "$server" = ${closed.host} ]\n`,
      );
      chmodSync(join(bin, "docker-credential-ours"), 0o755);
      process.env["DOCKER_CONFIG"] = bin;
      const { PATH } = process.env;
      process.env["PATH"] = bin + delimiter + PATH;
      try {
        for (const config of [
          { credHelpers: { [closed.host]: "ours" } },
          { credHelpers: { [`https://${closed.host}/v2/`]: "ours" } },
          { credsStore: "ours" },
        ]) {
          writeFileSync(join(bin, "config.json"), JSON.stringify(config));
          caches++;
          assert.deepEqual(Object.keys(await filesOf(source)), ["manifests/a"]);
        }
        writeFileSync(join(bin, "config.json"), JSON.stringify({ credsStore: "missing" }));
        caches++;
        await unavailable(source, /docker-credential-missing can't be run/);
      } finally {
        process.env["PATH"] = PATH;
        process.env["DOCKER_CONFIG"] = docker;
      }
    });

    it("follows redirects of blobs without credentials, but not into this machine's networks", async () => {
      const elsewhere = await inFront(closed.host, () => false);
      let target = (path: string): string => `http://${elsewhere.host}${path}`;
      const front = await inFront(closed.host, (path, response) => {
        if (!path.includes("/blobs/")) return false;
        response.writeHead(307, { location: target(path) }).end();
        return true;
      });
      const source = at(`${front.host}/team/secret:v1`, { dockerConfig: dockerConfig(front.host) });
      // What is behind the redirect wants credentials and gets none.
      await unavailable(source, /HTTP status 401/);
      assert.ok(elsewhere.asked.length > 0);
      assert.ok(elsewhere.asked.every(({ headers }) => headers.authorization === undefined));
      target = () => "http://10.0.0.1/blob";
      await refused(source, /127\.0\.0\.1 leads to 10\.0\.0\.1, in a private network/);
      target = () => "file:///etc/passwd";
      await refused(source, /redirects to file:/);
      front.close();
      elsewhere.close();
    });
  });

  describe("with token authentication", () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    /** As a registry's own server for tokens makes them. */
    function tokenFor(access: object[]): string {
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: "tests",
        sub: "frodo",
        aud: "registry",
        exp: now + 60,
        nbf: now - 60,
        iat: now,
        jti: "1",
        access,
      };
      const text = `${encode({ alg: "RS256", typ: "JWT", kid: "one" })}.${encode(claims)}`;
      return `${text}.${createSign("RSA-SHA256").update(text).sign(privateKey, "base64url")}`;
    }
    const asked: { url: URL; method: string; headers: IncomingHttpHeaders; body: string }[] = [];
    let closed: TestRegistry;
    let tokens: Server;
    let answer: (scope: string) => object = (scope) => {
      const [type, name, actions = ""] = scope.split(":");
      return { token: tokenFor([{ type, name, actions: actions.split(",") }]) };
    };
    before(async () => {
      tokens = createServer((request, response) => {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
          const url = new URL(request.url ?? "", "http://x");
          asked.push({ url, method: request.method ?? "", headers: request.headers, body });
          const fields = request.method === "POST" ? new URLSearchParams(body) : url.searchParams;
          const good =
            request.headers.authorization === `Basic ${Buffer.from("frodo:right").toString("base64")}` ||
            fields.get("refresh_token") === "identity";
          response.writeHead(good ? 200 : 401).end(JSON.stringify(good ? answer(fields.get("scope") ?? "") : {}));
        });
      });
      await new Promise<void>((resolve) => tokens.listen(0, "127.0.0.1", resolve));
      const realm = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
      const auth = (place: string): object => {
        writeFileSync(
          join(place, "keys"),
          JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] }),
        );
        return { token: { realm, service: "registry", issuer: "tests", jwks: join(place, "keys") } };
      };
      closed = await TestRegistry.start(
        auth,
        `Bearer ${tokenFor([{ type: "repository", name: "team/secret", actions: ["push", "pull"] }])}`,
      );
      await closed.image("team/secret", "v1", [layerOf([file("manifests/a")])]);
    });
    after(() => {
      closed.stop();
      tokens.close();
    });
    const source = (entry: object): ImageSource =>
      at(`${closed.host}/team/secret:v1`, { dockerConfig: JSON.stringify({ auths: { [closed.host]: entry } }) });
    const password = { username: "frodo", password: "right" };

    it("requests a token to pull only this repository and never sends the password to the registry", async () => {
      const front = await inFront(closed.host, () => false);
      const through = at(`${front.host}/team/secret:v1`, {
        dockerConfig: JSON.stringify({ auths: { [front.host]: password } }),
      });
      assert.deepEqual(Object.keys(await filesOf(through)), ["manifests/a"]);
      assert.equal(asked.at(-1)?.url.searchParams.get("scope"), "repository:team/secret:pull");
      assert.equal(asked.at(-1)?.url.searchParams.get("service"), "registry");
      assert.ok(front.asked.every(({ headers }) => !headers.authorization?.startsWith("Basic")));
      front.close();
    });

    it("requests a token with an identity token", async () => {
      assert.deepEqual(Object.keys(await filesOf(source({ identitytoken: "identity" }))), ["manifests/a"]);
      assert.equal(asked.at(-1)?.method, "POST");
      assert.match(asked.at(-1)?.body ?? "", /grant_type=refresh_token/);
      assert.ok(!asked.at(-1)?.url.search.includes("identity"));
    });

    it("requests a token to push, and a new one when the old one is used up", async () => {
      const front = await inFront(closed.host, (path, response, request) => {
        const used = request.method === "PUT" && !path.includes("/manifests/") && !given.has(path);
        given.add(path);
        if (used) response.writeHead(401, { "www-authenticate": challenge }).end();
        return used;
      });
      const given = new Set<string>();
      const { headers } = await fetch(`http://${closed.host}/v2/`);
      const challenge = headers.get("www-authenticate") ?? "";
      const place = { registry: front.host, repository: "team/pushed" };
      const digest = await pushImage(
        treeOf({ "manifests/a": "1" }),
        { ...place, tag: "v1" },
        {
          trust: {},
          credentials: password,
        },
      ).finally(() => front.close());
      assert.ok(given.size > 0);
      assert.equal(asked.at(-1)?.url.searchParams.get("scope"), "repository:team/pushed:pull,push");
      const ref = `${closed.host}/team/pushed@${digest}`;
      assert.deepEqual(await filesOf({ ...source(password), ref }), { "manifests/a": "1" });
    });

    it("requests no token at an address that another host names", async () => {
      const thief = await serve({ "/token": "{}" });
      const elsewhere = await serve({
        "/blob": (_, response) =>
          void response.writeHead(401, { "www-authenticate": `Bearer realm="${thief.url}/token"` }).end(),
      });
      const front = await inFront(closed.host, (path, response) => {
        if (!path.includes("/blobs/")) return false;
        response.writeHead(307, { location: `${elsewhere.url}/blob` }).end();
        return true;
      });
      const dockerConfig = JSON.stringify({ auths: { [front.host]: password } });
      try {
        await unavailable(at(`${front.host}/team/secret:v1`, { dockerConfig }), /HTTP status 401/);
        assert.deepEqual([elsewhere.asked.length, thief.asked], [1, []]);
      } finally {
        for (const site of [front, elsewhere, thief]) site.close();
      }
    });

    it("reports a rejected password without printing it", async () => {
      await unavailable(
        source({ ...password, password: "wrong-secret" }),
        /^(?!.*wrong-secret).*\/token answers with HTTP status 401/,
      );
      const good = answer;
      answer = () => ({ nothing: 1 });
      await unavailable(source(password), /\/token gives no token/);
      answer = good;
    });
  });
});

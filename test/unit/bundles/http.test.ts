import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fetchSource, openBundle, resolveSource } from "../../../bundles/bundle";
import { Refused, Unavailable } from "../../../bundles/errors";
import { Guard, reachOf } from "../../../foundation/net/address";
import type { HttpSource } from "../../../bundles/sources/http";
import { contentDigest } from "../../../bundles/tree/tree";
import { tgzOf, zipOf } from "./archives";
import { cacheIn, configMap, temporaryFolder } from "./samples";
import { redirect, selfSigned, serve, type Pages, type Site } from "./server";

const ENTRIES = [{ path: "manifests/a.yaml", content: configMap("a") }];
const sha256 = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

describe("a bundle on a web server", () => {
  const folder = temporaryFolder();
  const tgz = tgzOf(ENTRIES);
  const pages: Pages = { "/a.tgz": tgz };
  let site: Site & { close(): void };
  let other: Site & { close(): void };
  before(async () => {
    site = await serve(pages);
    other = await serve({ "/a.tgz": tgz });
    pages["/a.zip"] = await zipOf(ENTRIES);
    pages["/moved"] = redirect("/moved-again", 301);
    pages["/moved-again"] = redirect("./a.tgz", 307);
    pages["/elsewhere"] = redirect(`${other.url}/a.tgz`);
    pages["/loop"] = redirect("/loop");
    pages["/file"] = redirect("file:///etc/passwd");
    pages["/user"] = redirect(`http://user:password@127.0.0.1/`);
    pages["/private"] = redirect("http://10.1.2.3/a.tgz");
    pages["/metadata"] = redirect("http://[fe80::1]/latest");
    pages["/private-site"] = (request, response) => {
      const good = request.headers.authorization === `Basic ${Buffer.from("me:secret").toString("base64")}`;
      const bearer = request.headers.authorization === "Bearer tok";
      response.writeHead(good || bearer ? 200 : 401).end(good || bearer ? tgz : "");
    };
  });
  after(() => {
    site.close();
    other.close();
  });
  const access = () => ({ base: "/", keep: ["manifests"], cache: cacheIn(join(folder(), "cache")) });
  const at = (path: string, more: Partial<HttpSource> = {}): HttpSource => ({
    type: "http",
    url: site.url + path,
    ...more,
  });
  const refused = (source: HttpSource, expected: RegExp): Promise<void> =>
    assert.rejects(
      resolveSource(source, access()),
      (error) => error instanceof Refused && expected.test(error.message),
    );
  afterEach(() => rm(join(folder(), "cache"), { recursive: true, force: true }));

  it("is pinned by the digest of its archive, and has the same content in any archive", async () => {
    const first = await resolveSource(at("/a.tgz"), access());
    assert.equal(first.digest, sha256(tgz));
    const second = await resolveSource(at("/a.zip"), access());
    assert.notEqual(second.digest, first.digest);
    assert.ok(first.tree && second.tree);
    assert.equal(contentDigest(first.tree), contentDigest(second.tree));
  });

  it("is fetched only once if it has a digest", async () => {
    const source = at("/a.tgz", { digest: sha256(tgz) });
    const before = site.asked.length;
    const one = await openBundle([source], access());
    const gone = { ...source, url: "http://127.0.0.1:9/a.tgz" };
    const two = await openBundle([gone], access());
    assert.deepEqual([one.digest, site.asked.length - before], [two.digest, 1]);
  });

  it("is rejected and not cached if its digest differs", async () => {
    const source = at("/a.tgz", { digest: `sha256:${"1".repeat(64)}` });
    await assert.rejects(
      openBundle([source], access()),
      /^Refused: .*\/a\.tgz: the archive has the digest sha256:\w+; expected sha256:1111/,
    );
    assert.equal(await access().cache.find(JSON.stringify({})), undefined);
    await assert.rejects(fetchSource(source, source.digest ?? "", access()), Refused);
  });

  it("may be redirected", async () => {
    assert.equal((await resolveSource(at("/moved"), access())).digest, sha256(tgz));
    assert.equal((await resolveSource(at("/elsewhere"), access())).digest, sha256(tgz));
  });

  it("is rejected for unsafe redirects and URLs", async () => {
    await refused(at("/loop"), /redirects more than 5 times/);
    await refused(at("/file"), /redirects to file:\/\/; expected http or https/);
    await refused(at("/user"), /redirects to http:\/\/127\.0\.0\.1; expected/);
    await refused(at("/private"), /127\.0\.0\.1 leads to 10\.1\.2\.3, in a private network; expected a public address/);
    await refused({ type: "http", url: "ftp://example.com/a.tgz" }, /found a URL that begins with "ftp:/);
    await refused(
      { type: "http", url: "https://me:pass@example.com/a.tgz" },
      /found a user or a password in the URL of example\.com/,
    );
  });

  it("gets credentials only for its own server", async () => {
    const auth = { username: "me", password: "secret" };
    assert.equal((await resolveSource(at("/private-site", { auth }), access())).digest, sha256(tgz));
    assert.equal((await resolveSource(at("/private-site", { auth: { token: "tok" } }), access())).digest, sha256(tgz));
    await resolveSource(at("/elsewhere", { auth }), access());
    assert.ok(site.asked.at(-1)?.headers.authorization);
    assert.equal(other.asked.at(-1)?.headers.authorization, undefined);
    await assert.rejects(
      resolveSource(at("/private-site", { auth: { ...auth, password: "wrong" } }), access()),
      (error) => {
        assert.ok(error instanceof Unavailable && !error.passing && !error.message.includes("wrong"));
        return /private-site answers with HTTP status 401; check its credentials/.test(error.message);
      },
    );
  });

  it("is fetched again only after temporary errors", async () => {
    let calls = 0;
    pages["/shaky"] = (_, response) => {
      calls++;
      if (calls === 1) response.writeHead(503).end();
      else if (calls === 2) {
        response.writeHead(200, { "content-length": String(tgz.length) });
        response.write(tgz.subarray(0, 40), () => response.destroy());
      } else response.end(tgz);
    };
    assert.equal((await resolveSource(at("/shaky"), access())).digest, sha256(tgz));
    assert.equal(calls, 3);
    pages["/cut"] = (_, response) => {
      calls++;
      response.writeHead(200, { "content-length": String(tgz.length) });
      response.write(tgz.subarray(0, 40), () => response.destroy());
    };
    await assert.rejects(resolveSource(at("/cut"), access()), (error) => {
      assert.ok(error instanceof Unavailable && error.passing);
      return /\/cut can't be reached: the connection was cut/.test(error.message);
    });
    const before = site.asked.length;
    await assert.rejects(resolveSource(at("/nothing"), access()), /\/nothing answers with HTTP status 404/);
    assert.equal(site.asked.length, before + 1);
    await assert.rejects(
      resolveSource({ type: "http", url: "http://nowhere.invalid/a.tgz" }, access()),
      /nowhere\.invalid\/a\.tgz can't be reached: its host name is not known here|EAI_AGAIN/,
    );
  });

  it("is not downloaded further after an abort", async () => {
    pages["/slow"] = (_, response) => void response.writeHead(200).write(tgz.subarray(0, 20));
    const signal = AbortSignal.timeout(100);
    await assert.rejects(resolveSource(at("/slow"), { ...access(), signal }));
  });

  it("is read with an unknown certificate only if that is given or verification is off", async () => {
    const { key, cert } = selfSigned(folder());
    const secure = await serve({ "/a.tgz": tgz, "/down": redirect(`${site.url}/a.tgz`) }, { key, cert });
    try {
      const source = (path: string, more: Partial<HttpSource> = {}): HttpSource => ({
        type: "http",
        url: secure.url + path,
        ...more,
      });
      await assert.rejects(resolveSource(source("/a.tgz"), access()), (error) => {
        assert.ok(error instanceof Unavailable && !error.passing);
        return /self-signed certificate/.test(error.message);
      });
      const trusted = { certificateData: cert };
      assert.equal((await resolveSource(source("/a.tgz", trusted), access())).digest, sha256(tgz));
      assert.equal(
        (await resolveSource(source("/a.tgz", { insecureSkipTLSVerify: true }), access())).digest,
        sha256(tgz),
      );
      await refused(source("/down", trusted), /redirects to http:\/\/127\.0\.0\.1:\d+; expected https/);
    } finally {
      secure.close();
    }
  });
});

describe("an address", () => {
  it("is public only if it is not private, local, link-local or reserved", () => {
    const reaches: Record<string, string[]> = {
      public: ["1.1.1.1", "172.32.0.1", "2606:4700::1", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::"],
      private: [
        "10.0.0.1",
        "172.16.5.4",
        "192.168.1.1",
        "100.64.0.1",
        "fd00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
      ],
      machine: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::7f00:1", "64:ff9b::7f00:1", "2002:7f00:1::"],
      link: [
        ...["169.254.169.254", "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"],
        ...["fe80::1", "fe80::1%eth0", "fd00:ec2::254", "100.100.100.200", "::ffff:100.100.100.200", "168.63.129.16"],
      ],
      nowhere: [
        "0.0.0.0",
        "::",
        "::ffff:0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "ff02::1",
        "64:ff9b:1::1",
        "nonsense",
      ],
    };
    for (const [reach, addresses] of Object.entries(reaches)) {
      for (const address of addresses) assert.equal(reachOf(address), reach, address);
    }
  });

  const guarded = (origin: string, target: string): void => new Guard(new URL(origin)).check(new URL(target));
  const lookedUp = (origin: string, host: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      new Guard(new URL(origin)).lookup(host, {}, (error, address) => (error ? reject(error) : resolve(address)));
    });

  it("of this machine or a private network cannot be reached from a public one", () => {
    for (const target of [
      "http://127.0.0.1/",
      "http://10.0.0.1/",
      "http://[::1]/",
      "http://169.254.169.254/",
      "http://0x7f.1/",
      "http://2130706433/",
    ]) {
      assert.throws(() => guarded("https://1.1.1.1/", target), Refused, target);
      assert.throws(() => guarded("https://example.com/", target), Refused, target);
    }
    assert.throws(() => guarded("https://10.0.0.1/", "http://127.0.0.1/"), Refused);
    guarded("https://10.0.0.1/", "http://192.168.0.1/");
    guarded("http://127.0.0.1:1/", "http://127.0.0.1:2/");
    guarded("http://127.0.0.1:1/", "https://1.1.1.1/");
  });

  it("of the link or a cloud's metadata cannot be reached from this machine, nor the reverse", () => {
    const machine = ["http://127.0.0.1:1/", "http://[::1]:1/", "http://localhost/", "http://[::ffff:127.0.0.1]/"];
    const link = ["http://169.254.169.254/", "http://[::ffff:169.254.169.254]/", "http://[fd00:ec2::254]/"];
    for (const here of machine) {
      for (const there of [...link, "http://0.0.0.0/", "http://10.0.0.1/"])
        assert.throws(() => guarded(here, there), Refused, `${here} to ${there}`);
    }
    for (const here of link) {
      assert.throws(() => guarded(here, "http://127.0.0.1/"), Refused, here);
      guarded(here, here);
    }
    assert.throws(() => guarded("http://10.0.0.1/", "http://[fd00:ec2::254]/"), Refused);
    assert.throws(() => guarded("http://0.0.0.0/", "http://224.0.0.1/"), Refused);
    guarded("http://[::1]:1/", "http://127.0.0.1:2/");
  });

  it("is checked when its name is resolved", async () => {
    assert.equal(typeof (await lookedUp("http://localhost/", "localhost")), "string");
    await assert.rejects(
      lookedUp("https://example.com/", "localhost"),
      /example\.com leads to localhost, which is .*, on this machine/,
    );
    await assert.rejects(lookedUp("https://1.1.1.1/", "localhost"), Refused);
  });
});

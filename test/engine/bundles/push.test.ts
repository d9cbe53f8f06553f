import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "../../../cli/bundle/inspect";
import { push } from "../../../cli/bundle/push";
import type { PushOptions } from "../../../cli/bundle/options";
import type { Context } from "../../../cli/context";
import { Failure } from "../../../foundation/errors";
import { configMap, temporaryFolder, write } from "../../unit/bundles/samples";
import { selfSigned } from "../../unit/bundles/server";
import { basic, inFront, PASSWORD, TestRegistry, withUsers } from "./registry";

interface Inspected {
  readonly digest: string;
  readonly sources: readonly { readonly digest: string }[];
  readonly objects: readonly object[];
}

describe("a pushed bundle", () => {
  const folder = temporaryFolder();
  const before_ = { ...process.env };
  let registry: TestRegistry;
  let bundle: string;
  before(async function () {
    this.timeout(300_000);
    process.env["DOCKER_CONFIG"] = join(folder(), "docker");
    delete process.env["REGISTRY_AUTH_FILE"];
    registry = await TestRegistry.start();
    bundle = await write(join(folder(), "shop"), {
      "manifests/01_a.yaml": configMap("a"),
      "manifests/02_b.yaml": configMap("b", `data:\n  text: ${"x".repeat(5000)}\n`),
      "README.md": "not a manifest",
    });
  });
  after(() => {
    registry.stop();
    for (const key of ["DOCKER_CONFIG", "REGISTRY_AUTH_FILE"]) {
      if (before_[key] === undefined) delete process.env[key];
      else process.env[key] = before_[key];
    }
  });

  const reported: string[] = [];
  const printing = async (work: (context: Context) => Promise<void>): Promise<string> => {
    const lines: string[] = [];
    // Only here: tools are kept there too, and are not to be built again.
    process.env["XDG_CACHE_HOME"] = join(folder(), "cache");
    try {
      const live = { status: (text: string) => reported.push(text), end: () => reported.push("") };
      await work({ print: (text: string) => lines.push(text), live } as unknown as Context);
    } finally {
      if (before_["XDG_CACHE_HOME"] === undefined) delete process.env["XDG_CACHE_HOME"];
      else process.env["XDG_CACHE_HOME"] = before_["XDG_CACHE_HOME"];
    }
    return lines.join("\n");
  };
  const pushed = (image: string, source = bundle, options: PushOptions = {}): Promise<string> =>
    printing((context) => push(context, source, image, options));
  const seen = async (source: string, options: PushOptions = {}): Promise<Inspected> =>
    JSON.parse(await printing((context) => inspect(context, [source], { ...options, json: true }))) as Inspected;
  const fails = (work: Promise<unknown>, expected: RegExp): Promise<void> =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof Failure, (error as Error).stack);
      assert.match(error.message, expected);
      return true;
    });

  it("has the same content by its printed name, by its tag and as a copy", async () => {
    const here = await seen(bundle);
    const name = await pushed(`${registry.host}/team/shop:1.4.0`);
    assert.match(name, /^127\.0\.0\.1:\d+\/team\/shop:1\.4\.0@sha256:[0-9a-f]{64}$/);
    for (const image of [name, `${registry.host}/team/shop:1.4.0`]) {
      const there = await seen(`oci://${image}`);
      assert.deepEqual([there.digest, there.objects], [here.digest, here.objects]);
      assert.equal(there.sources[0]?.digest, name.split("@")[1]);
    }
    const copy = await pushed(`oci://${registry.host}/copy`, `oci://${name}`);
    assert.equal(copy, `${registry.host}/copy@${name.split("@")[1]}`);
    assert.equal((await seen(`oci://${registry.host}/copy:latest`)).digest, here.digest);
  });

  it("is not uploaded again unless it changed", async () => {
    const front = await inFront(registry.host, () => false);
    const sent = (): string[] =>
      front.asked
        .splice(0)
        .flatMap(({ method, path }) => (method === "HEAD" ? [] : [`${method} ${path.split("/")[4]}`]));
    try {
      const first = await pushed(`${front.host}/again:v1`);
      assert.deepEqual(sent(), ["POST uploads", "PUT uploads", "POST uploads", "PUT uploads", "PUT v1"]);
      assert.equal(await pushed(`${front.host}/again:v1`), first);
      assert.deepEqual(sent(), ["PUT v1"]);
      writeFileSync(join(bundle, "manifests/03_c.yaml"), configMap("c"));
      const second = await pushed(`${front.host}/again:v1`);
      assert.notEqual(second, first);
      assert.equal(sent().length, 5);
      assert.equal((await seen(`oci://${second}`)).objects.length, 3);
      assert.equal((await seen(`oci://${first}`)).objects.length, 2);
    } finally {
      rmSync(join(bundle, "manifests/03_c.yaml"), { force: true });
      front.close();
    }
  });

  it("retries the upload after a cut connection and gives up in the end", async () => {
    let cuts = 0;
    let most = 2;
    const front = await inFront(registry.host, (_, response, request) => {
      if (request.method !== "PUT" || cuts >= most) return false;
      cuts++;
      response.destroy();
      return true;
    });
    try {
      const name = await pushed(`${front.host}/cut:v1`);
      assert.equal(cuts, 2);
      assert.equal((await seen(`oci://${name}`)).digest, (await seen(bundle)).digest);
      most = Infinity;
      await fails(pushed(`${front.host}/other:v1`), /^127\.0\.0\.1:\d+\/other:v1: .*can't be reached/);
    } finally {
      front.close();
    }
  });

  it("fails if the registry reports another digest or redirects into another network", async () => {
    const front = await inFront(registry.host, (path, response, request) => {
      if (path.includes("/lies/") && request.method === "PUT" && path.includes("/manifests/")) {
        response.writeHead(201, { "docker-content-digest": `sha256:${"0".repeat(64)}` }).end();
        return true;
      }
      if (path.includes("/leads/") && request.method === "POST") {
        response.writeHead(202, { location: "http://10.0.0.1/upload" }).end();
        return true;
      }
      return false;
    });
    try {
      await fails(pushed(`${front.host}/lies/shop`), /keeps what was sent as sha256:0{64}; expected sha256:/);
      await fails(pushed(`${front.host}/leads/shop`), /127\.0\.0\.1 leads to 10\.0\.0\.1, in a private network/);
    } finally {
      front.close();
    }
  });

  it("must match the digest in its name", async () => {
    const name = await pushed(`${registry.host}/pinned:v1`);
    const [, digest = ""] = name.split("@");
    assert.equal(await pushed(`${registry.host}/pinned:v2@${digest}`), `${registry.host}/pinned:v2@${digest}`);
    assert.equal(await pushed(`${registry.host}/alone@${digest}`), `${registry.host}/alone@${digest}`);
    assert.equal((await seen(`oci://${registry.host}/alone@${digest}`)).digest, (await seen(bundle)).digest);
    const other = `sha256:${"0".repeat(64)}`;
    const front = await inFront(registry.host, () => false);
    await fails(
      pushed(`${front.host}/pinned:v3@${other}`),
      new RegExp(`its image has the digest ${digest}; expected ${other}, and nothing was sent$`),
    ).finally(() => front.close());
    assert.deepEqual(front.asked, []);
  });

  it("uses TLS for a local registry with a CA file or without verification", async () => {
    const { key, cert, certFile } = selfSigned(folder());
    const front = await inFront(registry.host, () => false, { key, cert });
    try {
      await fails(
        pushed(`${front.host}/tls`, bundle, { insecureSkipTlsVerify: false, plainHttp: false }),
        /self-signed cert/,
      );
      for (const trust of [{ caFile: certFile }, { insecureSkipTlsVerify: true }]) {
        const name = await pushed(`${front.host}/tls`, bundle, trust);
        assert.equal((await seen(`oci://${name}`, trust)).digest, (await seen(bundle)).digest);
      }
      await fails(pushed(`${front.host}/tls`, bundle, { caFile: join(folder(), "none.pem") }), /^--ca-file: .*ENOENT/);
      await fails(pushed(`${front.host}/tls`, bundle, { caFile: join(bundle, "README.md") }), /has no certificate/);
    } finally {
      front.close();
    }
  });

  it("reports the progress of a long upload", async () => {
    const noise = Array.from({ length: 4 }, (_, i) => [
      `manifests/${i}.yaml`,
      configMap(`n${i}`, `data:\n  text: ${randomBytes(3_000_000).toString("base64")}\n`),
    ]);
    const large = await write(join(folder(), "large"), Object.fromEntries(noise) as Record<string, string>);
    reported.length = 0;
    await pushed(`${registry.host}/large`, large);
    assert.match(reported.join("\n"), /^sending 1\d\.\d MiB: 0 %\n(.*\n)*sending .*: 90 %\n$/);
    reported.length = 0;
    await pushed(`${registry.host}/large:again`, large);
    assert.deepEqual(reported, [""]);
  }).timeout(30_000);

  it("rejects file names that would hide other files", async () => {
    const odd = await write(join(folder(), "odd"), { "manifests/.wh.a": configMap("a") });
    await fails(
      pushed(`${registry.host}/odd`, odd),
      /found "manifests\/\.wh\.a"; expected no name that begins with \.wh\./,
    );
    const unpacked = await write(join(folder(), "unpacked"), {
      "manifests/a.yaml": configMap("a"),
      "manifests/.wh..wh..opq": "",
    });
    const plain = await write(join(folder(), "plain"), { "manifests/a.yaml": configMap("a") });
    const same = `${registry.host}/opaque`;
    assert.equal(await pushed(same, unpacked), await pushed(same, plain));
  });

  it("authenticates with the user's own credentials and sends them to no other host", async () => {
    const closed = await TestRegistry.start(withUsers);
    const elsewhere = await inFront(closed.host, () => false);
    const front = await inFront(closed.host, (path, response, request) => {
      if (!path.includes("/away/") || request.method !== "POST" || !request.headers.authorization) return false;
      response.writeHead(202, { location: `http://${elsewhere.host}/v2/away/shop/blobs/uploads/1` }).end();
      return true;
    });
    const login = (password: string): void => {
      mkdirSync(join(folder(), "docker"), { recursive: true });
      const auth = basic(password);
      const auths = Object.fromEntries([closed.host, front.host].map((host) => [host, { auth }]));
      writeFileSync(join(folder(), "docker/config.json"), JSON.stringify({ auths }));
    };
    try {
      await fails(
        pushed(`${closed.host}/shop`),
        /HTTP status 401; check its credentials and their permission to write$/,
      );
      login("wrong-secret");
      await fails(pushed(`${closed.host}/shop`), /^(?!.*wrong-secret).*HTTP status 401/);
      login(PASSWORD);
      const name = await pushed(`${closed.host}/shop`);
      assert.equal((await seen(`oci://${name}`)).digest, (await seen(bundle)).digest);
      await fails(pushed(`${front.host}/away/shop`), /HTTP status 401/);
      assert.ok(elsewhere.asked.length > 0);
      assert.ok(elsewhere.asked.every(({ headers }) => headers.authorization === undefined));
    } finally {
      rmSync(join(folder(), "docker"), { recursive: true, force: true });
      front.close();
      elsewhere.close();
      closed.stop();
    }
  });
});

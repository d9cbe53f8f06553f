import assert from "node:assert/strict";
import fc from "fast-check";
import { Refused } from "../../../bundles/errors";
import { credentialsIn } from "../../../bundles/image/credentials";
import { choose, parseManifest, type Child } from "../../../bundles/image/manifest";
import { describeReference, onMirror, parseReference } from "../../../foundation/registry/reference";

const DIGEST = `sha256:${"a".repeat(64)}`;
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";

describe("the name of an image", () => {
  it("has the same meaning as for Docker", () => {
    const cases: Record<string, string> = {
      shop: "docker.io/library/shop:latest",
      "team/shop:1.4": "docker.io/team/shop:1.4",
      "docker.io/shop": "docker.io/library/shop:latest",
      "index.docker.io/team/shop": "docker.io/team/shop:latest",
      "localhost/shop": "localhost/shop:latest",
      "localhost:5000/a/b/c:x": "localhost:5000/a/b/c:x",
      "registry.example.com/shop": "registry.example.com/shop:latest",
      "Registry.Example.com:443/shop": "registry.example.com:443/shop:latest",
      "[::1]:5000/shop": "[::1]:5000/shop:latest",
      [`example.com/a__b/c-d:tag@${DIGEST}`]: "example.com/a__b/c-d@sha256:aaaaaaaaaaaa…",
    };
    for (const [text, expected] of Object.entries(cases))
      assert.equal(describeReference(parseReference(text)), expected);
    assert.deepEqual(onMirror("mirror:5000/hub", parseReference("shop")), {
      registry: "mirror:5000",
      repository: "hub/library/shop",
    });
  });

  it("is rejected if it is invalid", () => {
    for (const text of [
      "",
      "A/b",
      "a:",
      "a@",
      "a@sha256:1",
      "a@md5:11",
      "https://a/b",
      "a/../b",
      "a//b",
      "a b",
      "a:-x",
      "me:pw@host/a",
      "-a",
      "a/b?x=1",
      "host:99999999/a",
    ]) {
      assert.throws(() => parseReference(text), Refused, text);
    }
  });

  it("never contains text that changes the URL", () => {
    const piece = fc.constantFrom(
      "a",
      "b.c",
      ":",
      "/",
      "//",
      "..",
      "@",
      "?",
      "#",
      "%2e",
      "localhost",
      ":5000",
      "[::1]",
      "_",
      "-",
      DIGEST,
      "\n",
      "é",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        let parsed;
        try {
          parsed = parseReference(pieces.join(""));
        } catch (error) {
          return assert.ok(error instanceof Refused, String(error));
        }
        const path = `/v2/${parsed.repository}/manifests/${parsed.digest ?? parsed.tag}`;
        const url = new URL(`https://${parsed.registry}${path}`);
        assert.deepEqual([url.pathname, url.search, url.hash, url.username], [path, "", "", ""]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the lookup of registry credentials", () => {
  const auth = (text: string): object => ({ auth: Buffer.from(text).toString("base64") });
  const found = (config: object, name: string): unknown => credentialsIn(JSON.stringify(config), parseReference(name));

  it("uses the longest key that matches the repository", () => {
    const auths = {
      "https://index.docker.io/v1/": auth("hub:1"),
      "example.com": auth("a:2"),
      "example.com/team": auth("b:3:4"),
      "https://other.com/v2/": auth("c:5"),
    };
    assert.deepEqual(found({ auths }, "shop"), { username: "hub", password: "1" });
    assert.deepEqual(found({ auths }, "example.com/shop"), { username: "a", password: "2" });
    assert.deepEqual(found({ auths }, "example.com/team/shop"), { username: "b", password: "3:4" });
    assert.deepEqual(found({ auths }, "example.com/teams/shop"), { username: "a", password: "2" });
    assert.deepEqual(found({ auths }, "other.com/x"), { username: "c", password: "5" });
    for (const name of ["example.com.evil.org/shop", "example.community/shop", "evil.example.com/x"])
      assert.equal(found({ auths }, name), undefined);
  });

  it("matches hosts by pattern, as Kubernetes does for pull secrets", () => {
    const auths = { "*.example.com": auth("a:1"), "*.example.com/team": auth("b:2"), "r*.*.net:5000": auth("c:3") };
    assert.deepEqual(found({ auths }, "eu.example.com/shop"), { username: "a", password: "1" });
    assert.deepEqual(found({ auths }, "eu.example.com/team/shop"), { username: "b", password: "2" });
    assert.deepEqual(found({ auths }, "reg.example.net:5000/x"), { username: "c", password: "3" });
    for (const name of ["example.com/x", "a.b.example.com/x", "eu.example.com.evil.org/x", "eu.example.com:5000/x"])
      assert.equal(found({ auths }, name), undefined, name);
    const inner = { "r*g*.example.com": auth("d:4"), "*:5000": auth("e:5") };
    assert.deepEqual(found({ auths: inner }, "registry.example.com/x"), { username: "d", password: "4" });
    assert.deepEqual(found({ auths: inner }, "localhost:5000/x"), { username: "e", password: "5" });
    for (const name of ["rg.example.org/x", "gr.example.com/x"])
      assert.equal(found({ auths: inner }, name), undefined, name);
  });

  it("is fast for patterns with many wildcards", () => {
    const auths = Object.fromEntries(
      [8, 20, 5_000].map((stars) => [`${"*a".repeat(stars)}*b.example.com`, auth("a:1")]),
    );
    const begin = performance.now();
    assert.equal(found({ auths }, `${"a".repeat(200)}.example.com/shop`), undefined);
    assert.ok(performance.now() - begin < 500);
  });

  it("supports tokens and the legacy format", () => {
    assert.deepEqual(found({ auths: { "a.b": { identitytoken: "i", auth: "x" } } }, "a.b/c"), { identityToken: "i" });
    assert.deepEqual(found({ auths: { "a.b": { registrytoken: "r" } } }, "a.b/c"), { registryToken: "r" });
    assert.deepEqual(found({ "a.b": { username: "u", password: "p" } }, "a.b/c"), { username: "u", password: "p" });
    assert.equal(found({ auths: { "a.b": {} } }, "a.b/c"), undefined);
    assert.equal(found({ credsStore: "x" }, "a.b/c"), undefined);
  });

  it("reads or rejects any text, without repeating it in the error", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          credentialsIn(text, parseReference("a.b/c"));
        } catch (error) {
          assert.ok(
            error instanceof Refused &&
              error.message ===
                "dockerConfig: found a text that is no JSON object; expected the content of docker's config.json",
          );
        }
      }),
    );
  });
});

describe("an image manifest", () => {
  const layer = { mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: DIGEST, size: 1 };
  const image = { schemaVersion: 2, mediaType: MANIFEST, layers: [layer] };
  const parse = (value: unknown, type = MANIFEST) => parseManifest(Buffer.from(JSON.stringify(value)), type);

  it("is an image or an index, but not both", () => {
    assert.equal(parse(image).kind, "image");
    assert.equal(parse({ ...image, mediaType: undefined }).kind, "image");
    assert.equal(parse({ schemaVersion: 2, manifests: [] }, INDEX).kind, "index");
    for (const [value, type, expected] of [
      [{ ...image, manifests: [] }, MANIFEST, /has layers and other manifests, or neither/],
      [{ schemaVersion: 2 }, MANIFEST, /has layers and other manifests, or neither/],
      [{ ...image, mediaType: INDEX }, MANIFEST, /calls itself .*index.* and is sent as/],
      [{ ...image, mediaType: INDEX }, "", /is an image and calls itself/],
      [{ schemaVersion: 2, manifests: [] }, MANIFEST, /is an index and calls itself/],
      [{ ...image, schemaVersion: 1 }, MANIFEST, /has the schema version 1/],
      [[], MANIFEST, /is no JSON object/],
    ] as const) {
      assert.throws(
        () => parse(value, type),
        (error) => error instanceof Refused && expected.test(error.message),
      );
    }
  });

  it("is rejected if a layer is foreign, of unknown type or too large", () => {
    for (const [bad, expected] of [
      [{ mediaType: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip" }, /has a layer of type/],
      [{ urls: ["https://x"] }, /has a layer that lies elsewhere/],
      [{ digest: "sha256:1" }, /is described without a type, a digest/],
      [{ size: -1 }, /is described without/],
      [{ size: 1e12 }, /layers have more than 512 MiB/],
    ] as const) {
      assert.throws(
        () => parse({ ...image, layers: [{ ...layer, ...bad }] }),
        (error) => error instanceof Refused && expected.test(error.message),
      );
    }
    assert.throws(() => parse({ ...image, layers: Array(129).fill(layer) }), /more than 128 layers/);
  });

  it("is read or rejected for any JSON, and never fails otherwise", () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { schemaVersion: fc.constant(2), manifests: fc.array(fc.jsonValue()), layers: fc.array(fc.jsonValue()) },
        { requiredKeys: ["schemaVersion"] },
      ),
      fc.record({
        schemaVersion: fc.constant(2),
        manifests: fc.array(
          fc.record({
            mediaType: fc.constant(MANIFEST),
            digest: fc.constant(DIGEST),
            size: fc.nat(),
            platform: fc.jsonValue(),
            annotations: fc.jsonValue(),
          }),
        ),
      }),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(MANIFEST, INDEX, ""), (each, type) => {
        try {
          parse(each, type);
        } catch (error) {
          assert.ok(error instanceof Refused, (error as Error).stack);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("selects linux/amd64 by default", () => {
    const child = (platform: string | undefined): Child => ({ ...layer, platform });
    const many = [child("linux/arm64"), child("linux/amd64/v2"), child("linux/amd64")];
    assert.equal(choose(many, undefined).platform, "linux/amd64");
    assert.equal(choose(many.slice(0, 2), undefined).platform, "linux/amd64/v2");
    assert.equal(choose([child(undefined)], undefined).platform, undefined);
    assert.throws(
      () => choose([child("linux/arm64"), child("linux/arm")], undefined),
      /no image for linux\/amd64; it has linux\/arm64, linux\/arm; set platform/,
    );
    assert.throws(() => choose([], undefined), /it has none at all/);
  });
});

import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ServerResponse } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { mock } from "node:test";
import { kubectl } from "../../../../cli/bundle/cluster/kubectl";
import { shareValues } from "../../../../components/bundle/bundle";
import { mergeValues } from "../../../../foundation/json/merge";
import { onOneLine } from "../../../../foundation/net/errors";
import { Guard } from "../../../../foundation/net/address";
import { MIB } from "../../../../foundation/net/bytes";
import { exchange, responseText } from "../../../../foundation/net/http";
import { paced } from "../../../../foundation/net/pace";
import { fromObject } from "../../../../bundles/approvals/approval";
import { unpack } from "../../../../bundles/archive/unpack";
import { PLAIN } from "../../../../bundles/format/plain";
import { environment, runGit } from "../../../../bundles/git/run";
import { parseManifest } from "../../../../bundles/image/manifest";
import { asksText } from "../../../../bundles/permissions/text";
import { TreeBuilder } from "../../../../bundles/tree/builder";
import { serve } from "../server";
import { cacheIn, configMap, faultsIn, temporaryFolder, treeOf } from "../samples";

describe("an untrusted response", () => {
  const folder = temporaryFolder();

  /** A body of `bytes` each `ms` that never ends, the time that its reader takes, and how much of it was read in the end. */
  const readAll = async (bytes: number, ms: number, readerMs = 0, most = Infinity): Promise<number> => {
    let clock = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        await Promise.resolve();
        clock += ms;
        yield new Uint8Array(bytes);
      }
    }
    let total = 0;
    try {
      for await (const chunk of paced(endless(), () => clock)) {
        total += chunk.length;
        clock += readerMs;
        if (total >= most) break;
      }
    } catch (error) {
      assert.match((error as Error).message, /^it sends less than 1024 bytes a second$/);
    }
    return total;
  };

  it("is aborted after a minute if it arrives too slowly", async () => {
    assert.equal(await readAll(1, 1000), 60);
    assert.equal(await readAll(1, 29_000), 2, "between the signs of life that a connection needs");
    assert.equal(await readAll(1000, 1000), 60_000);
    assert.ok((await readAll(1024, 1000, 0, MIB)) >= MIB);
    assert.ok((await readAll(1024, 100, 60_000, MIB)) >= MIB, "it is the reader that is slow");
  });

  it("fails without being read to its end if it arrives too slowly", async () => {
    const body = new PassThrough();
    body.write("x");
    const site = await serve({ "/": (_, response) => void body.pipe(response.writeHead(200)) });
    let clock = performance.now();
    mock.method(performance, "now", () => (clock += 61_000));
    try {
      const url = new URL(site.url);
      const answer = await exchange({ url, guard: new Guard(url) });
      await assert.rejects(responseText(answer, "it"), {
        name: "Unavailable",
        message: /can't be reached: it sends less than 1024 bytes a second$/,
      });
    } finally {
      mock.restoreAll();
      site.close();
    }
  });

  it("does not fill the memory of git with endless refs", async () => {
    const line = (text: string): string => (text.length + 4).toString(16).padStart(4, "0") + text;
    const names = line(`${"a".repeat(40)} refs/heads/${"x".repeat(200)}\n`).repeat(500);
    let sent = 0;
    const flood = (_: unknown, response: ServerResponse): void => {
      response.writeHead(200, { "content-type": "application/x-git-upload-pack-advertisement" });
      response.write(`${line("# service=git-upload-pack\n")}0000`);
      Readable.from(
        (function* () {
          for (;;) {
            sent += names.length;
            yield names;
          }
        })(),
      ).pipe(response);
    };
    const site = await serve({ "/endless.git/info/refs": flood });
    try {
      const running = { cwd: folder(), env: environment("http", {}, {}), most: 1000, memoryBytes: 128 * MIB };
      await assert.rejects(
        runGit({ ...running, args: ["ls-remote", `${site.url}/endless.git`] }),
        /^Refused: git needs more than 128 MiB of memory for what the server sends$/,
      );
      assert.ok(sent < 512 * MIB);
    } finally {
      site.close();
    }
  }).timeout(30_000);

  it("ends git after a timeout", async () => {
    const env = {
      PATH: process.env["PATH"],
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "alias.forever",
      GIT_CONFIG_VALUE_0: "!sleep 60",
    };
    const endless = runGit({ args: ["forever"], cwd: folder(), env, most: 1000, timeoutMs: 300 });
    await assert.rejects(endless, /git took longer than 0\.3 s/);
  });

  it("is reported as an HTML page, a foreign layer or a template", async () => {
    const archive = (text: string): Promise<void> =>
      unpack(Readable.from([Buffer.from(text)]), new TreeBuilder({ directory: "", keep: undefined, image: false }));
    await assert.rejects(archive("<!DOCTYPE html><html>please log in</html>"), /it is a page of HTML or XML/);
    await assert.rejects(archive("\n  <Error><Code>AccessDenied</Code></Error>"), /it is a page of HTML or XML/);
    const type = "application/vnd.oci.image.manifest.v1+json";
    const layer = {
      mediaType: "application/vnd.oci.image.layer.v1.tar",
      digest: `sha256:${"a".repeat(64)}`,
      size: 1,
      urls: ["https://x"],
    };
    const manifest = { schemaVersion: 2, mediaType: type, layers: [layer] };
    assert.throws(() => parseManifest(Buffer.from(JSON.stringify(manifest)), type), /lies elsewhere \(urls\)/);
    const plain = async (text: string): Promise<string[]> =>
      PLAIN.read(treeOf({ "manifests/a.yaml": text }), {
        name: "a",
        namespace: "a",
        values: {},
        cluster: undefined,
        signal: AbortSignal.timeout(1000),
      }).then(() => [], faultsIn);
    for (const text of ["kind: {{ .Values.kind }}", "{{- if .x }}\na: b\n{{- end }}", 'a: {{ include "x" . }}-b'])
      assert.match((await plain(text)).join(), /it has a template, \{\{ … \}\}, and nothing is rendered here/, text);
    assert.deepEqual(await plain(configMap("a", 'data: { a: "{{ .x }}" }\n')), []);
    assert.match(
      (await plain("kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n")).join(),
      /format kustomize/,
    );
  });

  it("adds no lines to the text of an approval", () => {
    const text = "good\n  ServiceAccount evil/x:\u001b[2K nothing";
    const approval = fromObject({
      apiVersion: "stackyard.dev/v1alpha1",
      kind: "BundleApproval",
      metadata: { name: "a" },
      spec: {
        bundle: { name: "shop", namespace: "shop" },
        decision: "Requested",
        digest: text,
        by: text,
        reason: text,
        asks: {
          permissions: [
            { subject: text, namespace: text, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
          ],
          clusterObjects: [text],
          webhooks: [text],
          host: [text],
          others: [text],
        },
      },
    });
    assert.ok(approval);
    const all = [approval.by, approval.reason ?? "", approval.digest, ...asksText(approval.asks)];
    assert.equal(onOneLine(text), "good   ServiceAccount evil/x:?[2K nothing");
    assert.deepEqual(
      all.filter((line) => /\n|\u001b/.test(line)),
      [],
    );
  });

  it("may contain the key __proto__, which stays an ordinary key", () => {
    const hostile = JSON.parse('{"a": {"__proto__": {"x": "y"}}, "__proto__": {"polluted": 1}}') as Record<
      string,
      unknown
    >;
    const merged = mergeValues(hostile, hostile);
    assert.deepEqual(Object.keys(merged), ["a", "__proto__"]);
    assert.equal((merged as { polluted?: unknown }).polluted, undefined);
    const { values, secretValues } = shareValues({ values: hostile, secret: true }, undefined);
    assert.deepEqual(Object.keys(values ?? {}), ["__proto__"]);
    assert.equal(JSON.stringify(secretValues), '{"a":{"__proto__":{"x":"y"}}}');
  });

  it("is not read from the cache if it is larger than any bundle", async () => {
    const place = join(folder(), "cache");
    mkdirSync(place);
    const cache = cacheIn(place);
    await cache.keep("a", treeOf({ "manifests/a.yaml": "a" }));
    const [name = ""] = readdirSync(join(place, "content"));
    const file = join(place, "content", name);
    truncateSync(file, 600 * 1024 ** 2);
    const before = process.memoryUsage().rss;
    assert.equal(await cache.find("a"), undefined);
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 ** 2);
    assert.throws(() => statSync(file), /ENOENT/, "it is fetched again, and written over");
    const [note = ""] = readdirSync(join(place, "origins"));
    truncateSync(join(place, "origins", note), 600 * 1024 ** 2);
    assert.equal(await cache.find("a"), undefined);
    assert.ok(process.memoryUsage().rss - before < 200 * 1024 ** 2, "a note is read no more than its content");
  });

  it("is requested only for a valid namespace", async () => {
    for (const namespace of ["/etc/passwd", "a/../../version", "A", ""])
      await assert.rejects(
        kubectl({ folder: "/" }, { namespace }),
        /--namespace: found .*; expected the name of a namespace/,
      );
  });
});

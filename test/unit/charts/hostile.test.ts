import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fetchCharts, type FetchedCharts, ChartCache } from "../../../components/charts/fetchCharts";
import type { Credentials } from "../../../components/charts/charts";
import { CHARTS } from "../../../components/charts/table";
import { sha256 } from "../../doubles/chartRepository";

const NAME = "kuberay-operator";
const { version } = CHARTS[NAME];
const CHART_LAYER = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const ARCHIVE = Buffer.from("what is in the archive");
const PASSWORD = "hunter2";
const credentials: Credentials = { username: "reader", password: PASSWORD };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

describe("fetching charts from a hostile server", () => {
  let folder: string;
  let servers: Server[];
  /** Authorization of every request, by path. */
  let heard: [string, string | undefined][];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stackyard-hostile-"));
    [servers, heard] = [[], []];
  });
  afterEach(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(folder, { recursive: true });
  });

  async function serve(handler: Handler): Promise<string> {
    const server = createServer((request, response) => {
      heard.push([request.url ?? "", request.headers.authorization]);
      handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const fetch = (mirror: string, more: { credentials?: Credentials } = {}): Promise<FetchedCharts> => {
    const wanted = [{ chart: NAME, component: "ray", token: "Ray", optional: true } as const];
    const config = { mirror, lockRequired: false, lock: {}, lockFile: "charts.lock.yaml", wanted, ...more };
    return fetchCharts(config, folder, new ChartCache(join(folder, "cache")));
  };
  /** Why an optional component is skipped. */
  const why = async (mirror: string, more?: { credentials?: Credentials }): Promise<string> => {
    const { skipped, archives } = await fetch(mirror, more);
    assert.deepEqual(archives, {});
    return skipped[0]?.why ?? "nothing was skipped";
  };
  const index =
    (entries: unknown): Handler =>
    (_, response) =>
      void response.end(JSON.stringify({ entries }));
  const one = (entry: object) => index({ [NAME]: [{ version, ...entry }] });
  /** A registry with this manifest, and blobs that are all the same. */
  const registry =
    (manifest: string, blob: Buffer = ARCHIVE): Handler =>
    ({ url = "" }, response) =>
      void response.end(url.includes("/manifests/") ? manifest : blob);
  const manifestOf = (digest: unknown) => JSON.stringify({ layers: [{ mediaType: CHART_LAYER, digest }] });

  it("stops at a size limit", async () => {
    let sent = 0;
    const endless: Handler = (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, "#");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on("drain", more);
      more();
    };
    const host = await serve(endless);
    assert.match(await why(`http://${host}`), /the index of .* has more than 128 MiB/);
    assert.ok(sent < 256 * 1024 * 1024, `${sent} bytes`);
    const archives = await serve((request, response) =>
      (request.url === "/index.yaml" ? one({ urls: ["a.tgz"] }) : endless)(request, response),
    );
    assert.match(await why(`http://${archives}`), /the chart kuberay-operator has more than 64 MiB/);
  });

  it("does not decompress the response", async () => {
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const host = await serve((_, response) => void response.setHeader("content-encoding", "gzip").end(packed));
    assert.match(await why(`http://${host}`), /is no YAML|is no index/);
  });

  it("reports the chart as unavailable for any invalid index", async () => {
    const texts = [
      "",
      "null",
      "[]",
      "5",
      "<!doctype html><html><body>Sign in</body></html>",
      "entries:",
      "entries: []",
      "\u0000",
    ];
    for (const text of texts) {
      const host = await serve((_, response) => void response.end(text));
      assert.match(await why(`http://${host}`), /can't be fetched: .*index\.yaml/, JSON.stringify(text));
    }
    for (const found of [
      null,
      [null],
      [[]],
      [5],
      {},
      [{}],
      [{ version }],
      [{ version, urls: [null] }],
      [{ version, urls: ["http://"] }],
    ]) {
      const host = await serve(index({ [NAME]: found }));
      assert.match(await why(`http://${host}`), /can't be fetched: .*index\.yaml/, JSON.stringify(found));
    }
  });

  it("reports the chart as unavailable for any invalid manifest", async () => {
    const texts = [
      "",
      "null",
      "[]",
      "<html>",
      '{"layers":null}',
      '{"layers":[null]}',
      manifestOf(undefined),
      manifestOf(5),
    ];
    for (const text of texts) {
      const host = await serve(registry(text));
      assert.match(await why(`oci://${host}/charts`), /can't be fetched: .*kuberay-operator:/, text);
    }
  });

  it("does not follow a layer to another path", async () => {
    const host = await serve(registry(manifestOf("../../../../admin")));
    assert.match(await why(`oci://${host}/charts`), /names a layer without a digest/);
    assert.equal(heard.length, 1);
  });

  it("rejects content that does not match its digest", async () => {
    const wrong = sha256("another archive");
    const host = await serve(registry(manifestOf(wrong)));
    assert.match(await why(`oci://${host}/charts`), new RegExp(`digest ${sha256(ARCHIVE)}; expected ${wrong}`));
    const charts = await serve((request, response) =>
      request.url === "/index.yaml"
        ? one({ urls: ["a.tgz"], digest: wrong.replace("sha256:", "") })(request, response)
        : void response.end(ARCHIVE),
    );
    assert.match(await why(`http://${charts}`), new RegExp(`digest ${sha256(ARCHIVE)}; expected ${wrong}`));
  });

  it("rejects addresses that are not public", async () => {
    const places = [
      "http://169.254.169.254/latest/meta-data",
      "http://10.0.0.1/",
      "http://[fd00:ec2::254]/",
      "file:///etc/passwd",
    ];
    for (const place of places) {
      const host = await serve((_, response) => void response.writeHead(302, { location: place }).end());
      assert.match(await why(`http://${host}`), /expected a public address|expected http or https/, place);
      const charts = await serve(one({ urls: [place] }));
      assert.match(await why(`http://${charts}`), /expected a public address|expected http or https/, place);
    }
  });

  it("does not send the password to another server after a redirect", async () => {
    const thief = await serve(({ headers }, response) => {
      const realm = `http://${headers.host}/token`;
      response.writeHead(401, { "www-authenticate": `Bearer realm="${realm}",service="x",scope="y"` }).end();
    });
    for (const scheme of ["oci", "http"]) {
      const host = await serve(
        ({ url }, response) => void response.writeHead(307, { location: `http://${thief}${url}` }).end(),
      );
      heard = [];
      assert.match(await why(`${scheme}://${host}/charts`, { credentials }), /HTTP status 401/);
      const [own, ...stolen] = heard;
      assert.ok(own !== undefined && stolen.length > 0);
      assert.deepEqual(
        stolen.filter(([, authorization]) => authorization !== undefined),
        [],
      );
    }
  });

  it("restores a fetched chart that was changed on disk", async () => {
    const host = await serve((request, response) =>
      request.url === "/index.yaml" ? one({ urls: ["a.tgz"] })(request, response) : void response.end(ARCHIVE),
    );
    const place = join(folder, (await fetch(`http://${host}`)).archives[NAME] ?? "");
    writeFileSync(place, "something else");
    await fetch(`http://${host}`);
    assert.deepEqual(readFileSync(place), ARCHIVE);
  });
});

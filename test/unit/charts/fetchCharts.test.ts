import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetchCharts, ChartsError, type FetchedCharts, ChartCache } from "../../../components/charts/fetchCharts";
import type { ChartsConfig, WantedChart } from "../../../components/charts/charts";
import { CHARTS } from "../../../components/charts/table";
import { MIB } from "../../../foundation/net/bytes";
import { ChartRepository, fileName, sha256 } from "../../doubles/chartRepository";

const ARCHIVE = Buffer.from("what is in the archive");
const DIGEST = sha256(ARCHIVE);
const OTHER = sha256("something else");
const { version } = CHARTS["kuberay-operator"];

const wanted: WantedChart = { chart: "kuberay-operator", component: "ray", token: "Ray", optional: false };
const lockOf = (digest: string) => ({ "kuberay-operator": { version, digest } });

describe("fetchCharts", () => {
  let folder: string;
  let repository: ChartRepository;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "stackyard-charts-"));
    repository = await new ChartRepository({ "kuberay-operator": ARCHIVE }).start();
  });
  afterEach(async () => {
    await repository.stop();
    rmSync(folder, { recursive: true });
  });

  const fetch = (config: Partial<ChartsConfig> = {}, project = "project"): Promise<FetchedCharts> =>
    fetchCharts(
      {
        mirror: repository.url,
        lockRequired: false,
        lock: {},
        lockFile: "charts.lock.yaml",
        wanted: [wanted],
        ...config,
      },
      join(folder, project),
      new ChartCache(join(folder, "cache")),
    );

  const refused = async (config: Partial<ChartsConfig>): Promise<string> => {
    try {
      await fetch(config);
    } catch (error) {
      assert.ok(error instanceof ChartsError, String(error));
      return error.message;
    }
    throw new Error("was not refused");
  };

  const bytesOf = ({ archives }: FetchedCharts, project = "project"): Buffer =>
    readFileSync(join(folder, project, archives["kuberay-operator"] ?? "nothing"));

  it("fetches a chart from a Helm repository, a registry or a folder", async () => {
    const mirrorFolder = join(folder, "mirror");
    mkdirSync(mirrorFolder);
    writeFileSync(join(mirrorFolder, fileName("kuberay-operator")), ARCHIVE);
    for (const mirror of [repository.url, `${repository.url}/`, repository.ociUrl, mirrorFolder, "../mirror"]) {
      rmSync(join(folder, "cache"), { recursive: true, force: true });
      const fetched = await fetch({ mirror, lock: lockOf(DIGEST), lockRequired: true });
      assert.deepEqual(bytesOf(fetched), ARCHIVE, mirror);
      assert.deepEqual([fetched.skipped, fetched.warnings], [[], []], mirror);
    }
  });

  it("returns the same relative path on every machine, with the digest of the content", async () => {
    const first = await fetch();
    const second = await fetch({}, "another/project");
    assert.deepEqual(first.archives, second.archives);
    assert.match(first.archives["kuberay-operator"] ?? "", /^\.\/node_modules\/\.cache\/.*kuberay-operator-.*\.tgz$/);
    assert.ok(first.archives["kuberay-operator"]?.includes(DIGEST.slice(7, 19)));
  });

  it("sends no request for a cached chart, locked or not, in any checkout", async () => {
    await fetch({ lock: lockOf(DIGEST) });
    await fetch();
    const asked = repository.requests.length;
    await repository.stop();
    assert.deepEqual(bytesOf(await fetch({ lock: lockOf(DIGEST) }, "another"), "another"), ARCHIVE);
    assert.deepEqual(bytesOf(await fetch()), ARCHIVE);
    assert.equal(repository.requests.length, asked);
  });

  it("fetches a chart again if its archive in the cache is damaged", async () => {
    await fetch({ lock: lockOf(DIGEST) });
    const cache = join(folder, "cache", `kuberay-operator-${version}-${DIGEST.slice(7, 19)}.tgz`);
    writeFileSync(cache, "half of");
    await fetch({ lock: lockOf(DIGEST) });
    assert.deepEqual(readFileSync(cache), ARCHIVE);
    truncateSync(cache, 600 * MIB);
    const before = process.memoryUsage().rss;
    await fetch({ lock: lockOf(DIGEST) });
    assert.deepEqual(readFileSync(cache), ARCHIVE);
    assert.ok(process.memoryUsage().rss - before < 200 * MIB);
  });

  it("rejects an archive in a mirror folder that is larger than any chart", async () => {
    const mirror = join(folder, "large");
    mkdirSync(mirror);
    const file = join(mirror, fileName("kuberay-operator"));
    writeFileSync(file, "");
    truncateSync(file, 600 * MIB);
    assert.match(await refused({ mirror, lock: lockOf(DIGEST) }), /kuberay-operator-.*\.tgz has more than 64 MiB/);
  });

  it("warns of a chart without a lock, or rejects it if locks are required", async () => {
    const { warnings } = await fetch();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", new RegExp(`is not in charts\\.lock\\.yaml.*${DIGEST}.*stackyard charts lock`));
    assert.match(
      await refused({ lockRequired: true }),
      /stackyard:ray: .* is not in charts\.lock\.yaml; record it with/,
    );
    const older = { "kuberay-operator": { version: "0.0.1", digest: DIGEST } };
    assert.match(await refused({ lockRequired: true, lock: older }), /\(only 0\.0\.1 is\)/);
    assert.equal((await fetch({ lock: older })).warnings.length, 1);
  });

  it("rejects a digest that differs from the lock, and reports both", async () => {
    for (const optional of [false, true]) {
      const message = await refused({ lock: lockOf(OTHER), wanted: [{ ...wanted, optional }] });
      assert.ok(message.includes(DIGEST) && message.includes(OTHER), message);
      assert.match(message, /nothing was changed/);
    }
    await repository.stop();
    assert.match(await refused({ lock: lockOf(OTHER) }), /can't be reached/, "what was refused is not kept");
  });

  it("reports why a chart is unavailable", async () => {
    const jupyterhub = { chart: "jupyterhub", component: "jupyterhub", token: "JupyterHub", optional: false } as const;
    assert.match(await refused({ wanted: [jupyterhub] }), /index\.yaml has no jupyterhub of version/);
    assert.match(await refused({ wanted: [jupyterhub], mirror: repository.ociUrl }), /HTTP status 404/);
    assert.match(
      await refused({ wanted: [jupyterhub], mirror: "nowhere" }),
      /the file nowhere\/jupyterhub-.*is not there/,
    );
  });

  it("reports an unreachable server", async () => {
    await repository.stop();
    const message = await refused({});
    assert.match(
      message,
      /stackyard:ray: the chart kuberay-operator .*127\.0\.0\.1:\d+.*can't be reached: connect ECONNREFUSED/,
    );
    assert.match(message, /stackyard:charts\.mirror.*optional: true/);
  });

  it("authenticates to a repository with a password, and to a registry with a token", async () => {
    const closed = await new ChartRepository({ "kuberay-operator": ARCHIVE }, "hunter2").start();
    try {
      for (const mirror of [closed.url, closed.ociUrl]) {
        rmSync(join(folder, "cache"), { recursive: true, force: true });
        const message = await refused({ mirror });
        assert.match(message, /HTTP status 401/);
        const wrong = await refused({ mirror, credentials: { username: "reader", password: "hunter3" } });
        assert.ok(/HTTP status 401/.test(wrong) && !wrong.includes("hunter3"), wrong);
        const credentials = { username: "reader", password: "hunter2" };
        assert.deepEqual(bytesOf(await fetch({ mirror, credentials })), ARCHIVE);
      }
    } finally {
      await closed.stop();
    }
  });

  it("does not send the password to another server that an index names", async () => {
    const elsewhere = `${repository.url}/${fileName("kuberay-operator")}`;
    const heard: (string | undefined)[] = [];
    const entries = { "kuberay-operator": [{ version, urls: [elsewhere] }] };
    const server = createServer((request, response) => {
      heard.push(request.headers.authorization);
      response.end(JSON.stringify({ entries }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await fetch({ mirror, credentials: { username: "reader", password: "hunter2" } });
    server.close();
    assert.deepEqual(heard, [`Basic ${Buffer.from("reader:hunter2").toString("base64")}`]);
    assert.deepEqual(repository.authorizations, [undefined]);
  });

  it("skips an unavailable optional chart, and fetches the others", async () => {
    const hub = { chart: "jupyterhub", component: "jupyterhub", token: "JupyterHub", optional: true } as const;
    const { archives, skipped } = await fetch({ wanted: [hub, wanted] });
    assert.deepEqual(Object.keys(archives), ["kuberay-operator"]);
    assert.deepEqual(
      skipped.map(({ wanted: { component } }) => component),
      ["jupyterhub"],
    );
    assert.match(skipped[0]?.why ?? "", /can't be fetched: .*index\.yaml has no jupyterhub/);
    const needed = { ...hub, component: "other", optional: false };
    assert.match(await refused({ wanted: [hub, needed] }), /stackyard:other: (?!.*stackyard:jupyterhub)/);
  });

  it("reports all faults at once", async () => {
    const hub = { chart: "jupyterhub", component: "jupyterhub", token: "JupyterHub", optional: false } as const;
    const message = await refused({ wanted: [hub, wanted], lockRequired: true });
    assert.match(message, /- stackyard:jupyterhub: .*\n {2}- stackyard:ray: /);
  });
});

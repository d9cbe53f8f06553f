import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dump } from "js-yaml";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { METRICS, METRICS_FILE, metricsIn, usedMetrics } from "../../fixtures/alerts";
import { prometheus, usesPrometheus } from "../../tools/prometheus";
import { Prometheus } from "./prometheus";
import { dashboardsChart } from "./promtool";
import { jupyterhub, ray, service, type ActiveSource } from "./sources";

/** How the names of their metrics begin. */
const SOURCES = { ray: "ray_", jupyterhub: "jupyterhub_", service: "stackyard_" } as const;
const START = { ray, jupyterhub, service } as const;

const isHere = (metric: string): boolean =>
  Object.entries(SOURCES).some(([name, start]) => metric.startsWith(start) && !(metric in (METRICS[name]!.more ?? {})));

/** The real Prometheus reads the real exporters, and each panel's query returns something. */
describe("the dashboards in Prometheus", function () {
  this.timeout(1_800_000); // The first time Prometheus is built.
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-prometheus-"));
  const sources = new Map<string, ActiveSource>();
  const server = new Prometheus();

  before(async function () {
    if (!usesPrometheus(projectRoot(), prometheus)) {
      console.log("      skipped: Prometheus is not installed; STACKYARD_PROMETHEUS=1 installs it");
      return this.skip();
    }
    const { programs } = await ensureTools(projectRoot(), [prometheus]);
    for (const [name, start] of Object.entries(START)) sources.set(name, await start());
    await server.start(programs["prometheus"]!, folder, sources);
    // A counter increases only between two readings.
    await sleep(5_000);
    await Promise.all([...sources.values()].map(({ act }) => act()));
  });
  after(async () => {
    await server.stop();
    for (const source of sources.values()) await source.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("return data where their metrics are here", async () => {
    const { queries } = await dashboardsChart();
    const wanted = queries.filter(({ query }) => metricsIn(query).every(isHere));
    assert.ok(wanted.length >= 15, wanted.map(({ name }) => name).join("\n"));
    let missing = wanted;
    for (const until = Date.now() + 120_000; missing.length > 0 && Date.now() < until; await sleep(1_000)) {
      const counts = await Promise.all(missing.map(({ query }) => server.count(query)));
      missing = missing.filter((_, index) => counts[index] === 0);
    }
    assert.deepEqual(missing, []);
  });

  it("use metrics that the exporters have", async () => {
    const seen = await Promise.all(
      Object.keys(SOURCES).map(async (name) => [name, await server.metricsOf(name)] as const),
    );
    if (process.env["UPDATE_SNAPSHOTS"] === "1") {
      const recorded = Object.fromEntries(seen.map(([name, metrics]) => [name, { ...METRICS[name], metrics }]));
      const [comment = ""] = readFileSync(METRICS_FILE, "utf8").split(/^(?!#)/m, 1);
      return writeFileSync(METRICS_FILE, comment + dump({ ...METRICS, ...recorded }, { flowLevel: 2, lineWidth: -1 }));
    }
    const used = usedMetrics();
    for (const [name, metrics] of seen)
      assert.deepEqual(
        METRICS[name]!.metrics.filter((one) => used.has(one) && !metrics.includes(one)),
        [],
        name,
      );
  });
});

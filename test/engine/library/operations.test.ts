import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { load } from "js-yaml";
import { isObject, type Json } from "../../../foundation/json/isObject";
import { mergeValues } from "../../../foundation/json/merge";
import { projectRoot } from "../../../toolchain/root";
import { OPERATIONS_CHARTS, writeChart } from "../../doubles/operationsCharts";
import { envWithAws } from "../eks/world";
import { World } from "../runtime/world";
import { testYard } from "../runtime/yard";
import { Example } from "./example";

const run = promisify(execFile);
const NAMESPACES = ["monitoring", "logs", "external-secrets", "velero", "opencost", "runtimes"];

interface GitSource {
  readonly repository: string;
  readonly ref: { readonly commit: string };
  readonly directory: string;
  readonly into?: string;
}
interface Chart {
  readonly sources: readonly GitSource[];
  readonly values: Json;
}

const configOf = (text: string): Json => (load(text) as { config: Json }).config;
const FILE = path.join(projectRoot(), "examples/operations/Pulumi.dev.yaml");

/** The charts of the example by bundle. */
function chartsOf(config: Json): Record<string, Chart> {
  const bundles = config["stackyard:bundles"] as Record<string, { versions: Record<string, Chart> }>;
  return Object.fromEntries(OPERATIONS_CHARTS.map((name) => [name, Object.values(bundles[name]!.versions)[0]!]));
}

describe("the example operations", function () {
  this.timeout(600_000);
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-operations-"));
  let world: World;
  before(async () => {
    world = new World(await testYard());
  });
  after(async () => {
    world.remove();
    rmSync(folder, { recursive: true, force: true });
    await world.kubectl("delete", "namespace", ...NAMESPACES, "--ignore-not-found");
  });

  /** AWS and the charts are doubles. */
  it("installs every bundle, with roles for the pods that need one", async () => {
    const { place } = world;
    const example = await Example.of(
      { ...place, env: { ...place.env, ...envWithAws(place, world.folder) } },
      "operations",
    );
    try {
      // A platform has its kubeconfig in the stack file.
      await example.project.must("pulumi", "config", "rm", "-s", "dev", "kubeconfig");
      const config = configOf(readFileSync(path.join(example.project.folder, "Pulumi.dev.yaml"), "utf8"));
      const bundles = config["stackyard:bundles"] as Record<string, { versions: Record<string, Json> }>;
      for (const name of OPERATIONS_CHARTS) {
        writeChart(name, path.join(example.project.folder, "charts", name));
        for (const version of Object.values(bundles[name]!.versions))
          version["sources"] = [{ type: "local", path: `charts/${name}` }];
      }
      const { eks, ...given } = config["stackyard:cluster"] as { eks: object };
      // The cluster that the double of EKS has.
      const cluster = { ...given, kubeconfig: { path: place.kubeconfig }, eks: { ...eks, name: "there" } };
      example.configure({ "stackyard:cluster": cluster, "stackyard:bundles": bundles });
      await example.up();
      const { bundles: applied, dataAccessRoles } = JSON.parse(await example.outputs()) as Record<string, Json>;
      assert.equal(Object.keys(applied!).length, 7);
      assert.deepEqual(dataAccessRoles, {
        "external-secrets": "arn:aws:iam::123456789012:role/there-external-secrets",
        "fluent-bit": "arn:aws:iam::123456789012:role/there-fluent-bit",
        velero: "arn:aws:iam::123456789012:role/there-velero",
      });
      for (const [namespace, name] of [
        ["monitoring", "monitoring-operator"],
        ["external-secrets", "external-secrets"],
        ["velero", "velero"],
        ["opencost", "opencost"],
      ])
        assert.equal((await world.get("-n", namespace!, "deployment", name!)).status["readyReplicas"], 1, name);
      const { spec } = await world.get("-n", "velero", "backupstoragelocations.velero.io", "default");
      assert.deepEqual(spec["objectStorage"], { bucket: "acme-backups", prefix: "velero" });
      await world.get("clustersecretstores.external-secrets.io", "aws");
      const { items = [] } = await world.get("-n", "monitoring", "configmaps", "-l", "grafana_dashboard=1");
      const dashboards = items.map(
        (one) => Object.values((one as unknown as { data: Record<string, string> }).data)[0]!,
      );
      assert.equal(dashboards.length, 7);
      for (const text of dashboards) {
        const { uid, panels } = JSON.parse(text) as { uid: string; panels: { targets: { expr: string }[] }[] };
        assert.match(uid, /^stackyard-[a-z]+$/);
        for (const { targets } of panels) assert.match(targets[0]!.expr, /\w+/);
      }
      await example.destroy();
    } finally {
      await example.remove();
    }
  });

  /** Writes a chart with its dependencies, from the repositories in SOURCES or from GitHub. */
  async function fetched(name: string, { sources }: Chart): Promise<string> {
    const chart = path.join(folder, name);
    for (const { repository, ref, directory, into = "" } of sources) {
      const [, owner = "", repo = ""] = /github\.com\/([^/]+)\/(.+)\.git$/.exec(repository) ?? [];
      let from = path.join(process.env["SOURCES"] ?? folder, owner, repo);
      if (process.env["SOURCES"] === undefined && !existsSync(from)) {
        await run("git", ["init", "--quiet", "--bare", from]);
        await run("git", ["-C", from, "fetch", "--quiet", "--depth=1", repository, ref.commit], { timeout: 120_000 });
      }
      from = from.replace(/\/$/, "");
      const archive = path.join(folder, "archive.tar");
      await run("git", ["-C", from, "archive", "-o", archive, `${ref.commit}:${directory}`]);
      mkdirSync(path.join(chart, into), { recursive: true });
      await run("tar", ["-x", "-f", archive, "-C", path.join(chart, into)]);
    }
    return chart;
  }

  /** Paths of values that neither the chart nor a chart in it has. */
  function unknownIn(values: Json, known: Json, at: string): string[] {
    return Object.entries(values).flatMap(([key, value]) => {
      if (!Object.hasOwn(known, key)) return [`${at}${key}`];
      const inner = known[key];
      // An empty object, nothing or a list takes anything.
      if (!isObject(value) || !isObject(inner) || Object.keys(inner).length === 0) return [];
      return unknownIn(value, inner, `${at}${key}.`);
    });
  }

  const valuesIn = (chart: string): Json => load(readFileSync(path.join(chart, "values.yaml"), "utf8")) as Json;

  it("has values that the charts of these commits have, which Helm renders", async function () {
    for (const [name, chart] of Object.entries(chartsOf(configOf(readFileSync(FILE, "utf8"))))) {
      let at: string;
      try {
        at = await fetched(name, chart);
      } catch (error) {
        if (!/resolve host|unable to access|timed out/.test(String(error))) throw error;
        console.log(
          `      skipped: ${String(error).split("\n").at(-2)}; a folder in SOURCES can have the repositories as <owner>/<name>`,
        );
        return this.skip();
      }
      const inner = chart.sources.flatMap(({ into = "" }) =>
        into.startsWith("charts/") ? [into.slice("charts/".length)] : [],
      );
      const known = Object.fromEntries(inner.map((one) => [one, valuesIn(path.join(at, "charts", one))]));
      assert.deepEqual(unknownIn(chart.values, mergeValues(known, valuesIn(at)), ""), [], name);
      const file = path.join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(chart.values));
      const flags = ["--values", file, "--name", name, "--namespace", name, "--json"];
      const api = "monitoring.coreos.com/v1";
      const apis = ["--api-versions", api, "--api-versions", `${api}/ServiceMonitor`];
      const cli = path.join(projectRoot(), "cli/bin/stackyard");
      const { stdout } = await run(cli, ["bundle", "inspect", at, ...flags, ...apis], { maxBuffer: 2 ** 26 });
      const { objects } = JSON.parse(stdout) as { objects: { kind: string; name: string }[] };
      const has = (kind: string): boolean => objects.some((one) => one.kind === kind);
      assert.ok(has("Deployment") || has("DaemonSet"), name);
      assert.ok(has("ServiceMonitor"), name);
    }
  });
});

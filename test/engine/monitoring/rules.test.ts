import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectRoot } from "../../../toolchain/root";
import { ensureTools } from "../../../toolchain/tools/ensure";
import { ALERT_CASES, ALERTS } from "../../fixtures/alerts";
import { promtool, usesPrometheus } from "../../tools/prometheus";
import { dashboardsChart, runPromtool } from "./promtool";

/** Minutes, of which the series have a value each. */
const AT = "90m";

/** The cases of one alert for `promtool test rules`: it fires, and with each of the changes it does not. */
function testsOf(alert: string) {
  const { series, labels, description, quiet } = ALERT_CASES[alert]!;
  const { severity = "warning", summary } = ALERTS[alert]!;
  const fired = {
    exp_labels: { severity, ...labels },
    exp_annotations: { summary, description, runbook_url: `docs/runbooks.md#${alert.toLowerCase()}` },
  };
  return [{}, ...quiet].map((change, index) => ({
    name: index === 0 ? alert : `${alert} with ${JSON.stringify(change)}`,
    interval: "1m",
    input_series: Object.entries({ ...series, ...change }).map(([one, values]) => ({
      series: one,
      values: String(values),
    })),
    alert_rule_test: [{ eval_time: AT, alertname: alert, exp_alerts: index === 0 ? [fired] : [] }],
  }));
}

describe("the rules and dashboards of charts/dashboards", function () {
  this.timeout(1_800_000); // The first time promtool is built.
  const folder = mkdtempSync(path.join(tmpdir(), "stackyard-rules-"));
  let program = "";
  let chart: Awaited<ReturnType<typeof dashboardsChart>>;

  before(async () => {
    chart = await dashboardsChart();
    if (usesPrometheus(projectRoot(), promtool))
      program = (await ensureTools(projectRoot(), [promtool])).programs["promtool"]!;
    else console.log("      skipped: promtool is not installed; STACKYARD_PROMETHEUS=1 installs it");
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("have queries that Prometheus parses", async function () {
    if (program === "") return this.skip();
    const rules = chart.queries.map(({ name, query }, index) => ({
      record: `panel_${index}`,
      expr: query,
      labels: { name },
    }));
    assert.ok(rules.length > 20);
    const check = (name: string, groups: object): Promise<void> =>
      runPromtool(program, folder, ["check", "rules"], { [name]: { groups } });
    await check("all.json", [{ name: "panels", rules }, ...chart.groups]);
    const wrong = [{ name: "panels", rules: [{ record: "panel", expr: "sum by namespace (ray_tasks)" }] }];
    await assert.rejects(check("wrong.json", wrong), /could not parse expression/);
  });

  it("fire when they should, with labels and texts, and not otherwise", async function () {
    if (program === "") return this.skip();
    const files = chart.groups.flatMap(({ rules }) =>
      rules.map((rule) => {
        const file = `${rule.alert}.rules.json`;
        writeFileSync(path.join(folder, file), JSON.stringify({ groups: [{ name: "one", rules: [rule] }] }));
        const content = { rule_files: [file], evaluation_interval: "1m", tests: testsOf(rule.alert) };
        return [`${rule.alert}.json`, content] as const;
      }),
    );
    assert.equal(files.length, Object.keys(ALERT_CASES).length);
    await runPromtool(program, folder, ["test", "rules"], Object.fromEntries(files));
  });

  it("lack what the values set to null", async () => {
    const { groups } = await dashboardsChart({
      alerts: {
        ray: { RayMemoryFull: null },
        bundles: { BundleFailed: null, BundleDiffers: null, BundleRestored: null },
      },
    });
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    assert.equal(names.length, Object.keys(ALERTS).length - 4);
    assert.equal(groups.length, chart.groups.length - 1);
  });
});

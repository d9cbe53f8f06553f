import assert from "node:assert/strict";
import { ALERT_CASES, ALERTS, METRICS, metricsIn, usedMetrics } from "../../fixtures/alerts";
import { pageText } from "../../fixtures/pages";

describe("alerts and dashboards", () => {
  it("use only metrics that their exporters have", () => {
    const known = new Set(
      Object.values(METRICS).flatMap(({ metrics, more = {} }) => [...metrics, ...Object.keys(more)]),
    );
    const unknown = [...usedMetrics()].filter(([metric]) => !known.has(metric));
    assert.deepEqual(Object.fromEntries(unknown), {});
    assert.ok(usedMetrics().size > 40);
  });

  it("have their metrics found by their names, not by functions and labels", () => {
    const query =
      'histogram_quantile(0.9, sum by (a_b, le) (rate(x_seconds_bucket{job_name="y_z"}[5m]))) * on (c_d) group_left (e_f) max by (c_d) (k_info)';
    assert.deepEqual(metricsIn(query), ["x_seconds_bucket", "k_info"]);
  });

  it("have a section of the runbooks and cases for each alert, and for no other", () => {
    const names = Object.keys(ALERTS).sort();
    assert.deepEqual([...pageText("docs/runbooks.md").matchAll(/^### (\w+)$/gm)].map(([, name]) => name).sort(), names);
    assert.deepEqual(Object.keys(ALERT_CASES).sort(), names);
    for (const name of names) assert.ok(ALERT_CASES[name]!.quiet.length > 0, name);
  });
});

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { renderChart } from "../../../provider/functions/renderChart";
import { contextOf } from "../../unit/provider/context";

const run = promisify(execFile);

interface Rule {
  readonly alert: string;
  readonly annotations: Readonly<Record<string, string>>;
}
interface Rendered {
  readonly kind: string;
  readonly spec: { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
  readonly data: Readonly<Record<string, string>>;
}
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

/** What the chart has for Prometheus and Grafana, by Helm's engine. */
export async function dashboardsChart(values: Readonly<Record<string, unknown>> = {}) {
  const question = { chart: "dashboards", releaseName: "dashboards", namespace: "monitoring", values };
  const { objects } = await renderChart(
    contextOf(() => undefined),
    question,
  );
  const all = objects as unknown as readonly Rendered[];
  const of = (kind: string): readonly Rendered[] => all.filter((one) => one.kind === kind);
  return {
    groups: of("PrometheusRule").flatMap(({ spec }) => spec.groups),
    queries: of("ConfigMap")
      .flatMap(({ data }) => Object.values(data).map((text) => JSON.parse(text) as Dashboard))
      .flatMap(({ uid, panels }) =>
        panels.map(({ title, targets }) => ({ name: `${uid} ${title}`, query: targets[0]!.expr })),
      ),
  };
}

/** Runs promtool on files with these contents, by name; fails with what it says. */
export async function runPromtool(
  program: string,
  folder: string,
  args: readonly string[],
  contents: Readonly<Record<string, object>>,
): Promise<void> {
  const files = Object.entries(contents).map(([name, content]) => {
    writeFileSync(path.join(folder, name), JSON.stringify(content));
    return name;
  });
  try {
    await run(program, [...args, ...files], { cwd: folder });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`promtool ${args.join(" ")}:\n${stdout}${stderr}`, { cause: error });
  }
}

import { existsSync } from "node:fs";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { inOrder, type ChartValues } from "./plan";

/** A complete Kubernetes object. */
export type Manifest = Record<string, unknown>;

/**
 * Renders the chart with the real Helm engine, which the Kubernetes provider brings along. Needs no cluster.
 * Throws a RunError with what the chart has to say against the values.
 */
export async function renderRay(
  values: ChartValues,
  namespace: string,
  options: pulumi.InvokeOptions,
): Promise<Manifest[]> {
  const name = String(values["clusterName"]);
  const call = { path: chartFolder(), release_name: "ray", namespace, values };
  try {
    const answer = (await pulumi.runtime.invoke(
      "kubernetes:helm:template",
      { jsonOpts: JSON.stringify(call) },
      options,
    )) as { result: Manifest[] };
    return inOrder(answer.result);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new pulumi.RunError(`stackyard:ray.${name}: the chart charts/ray-static-cluster refuses it: ${message}`);
  }
}

/** The chart's folder, looked for upwards from here because this code also runs bundled, from another folder. */
function chartFolder(): string {
  for (let folder = __dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const chart = path.join(folder, "charts", "ray-static-cluster");
    if (existsSync(path.join(chart, "Chart.yaml"))) return chart;
  }
  throw new Error(`The chart charts/ray-static-cluster is not above ${__dirname}; keep the program in its checkout.`);
}

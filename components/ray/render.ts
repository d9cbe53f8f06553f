import * as pulumi from "@pulumi/pulumi";
import { inOrder, type ChartValues } from "./plan";

/** A complete Kubernetes object. */
export type Manifest = Record<string, unknown>;

/**
 * Renders the chart with the real Helm engine, by our provider, which keeps renderings: an update without changes starts no
 * engine. Needs no cluster. Throws a RunError with the errors of the chart.
 */
export async function renderRay(
  values: ChartValues,
  namespace: string,
  options: pulumi.InvokeOptions,
): Promise<Manifest[]> {
  const name = String(values["clusterName"]);
  const question = { chart: "ray-static-cluster", releaseName: "ray", namespace, values };
  try {
    const answer = (await pulumi.runtime.invoke("stackyard:index:renderChart", question, options)) as {
      objects: Manifest[];
    };
    return inOrder(answer.objects);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new pulumi.RunError(`stackyard:ray.${name}: the chart charts/ray-static-cluster refuses it: ${message}`);
  }
}

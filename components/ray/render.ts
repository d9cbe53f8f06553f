import type * as pulumi from "@pulumi/pulumi";
import { renderedChart } from "../charts/rendered";
import { inOrder, type ChartValues } from "./plan";

/** A complete Kubernetes object. */
type Manifest = Record<string, unknown>;

/** Renders the objects of a Ray cluster with its chart, in the order of application. */
export async function renderRay(
  values: ChartValues,
  namespace: string,
  options: pulumi.InvokeOptions,
): Promise<Manifest[]> {
  const question = { chart: "ray-static-cluster", releaseName: "ray", namespace, values };
  return inOrder(await renderedChart(`stackyard:ray.${String(values["clusterName"])}`, question, options));
}

import * as pulumi from "@pulumi/pulumi";

/** A chart under `charts/`, and what it is rendered with. */
export interface ChartQuestion {
  /** Folder under `charts/`. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: object;
}

/**
 * Renders a chart of ours with the real Helm engine, by our provider, which keeps renderings: an update without changes
 * starts no engine. Needs no cluster. Throws a RunError with the errors of the chart, after `place`, a path of the config.
 */
export async function renderedChart(
  place: string,
  question: ChartQuestion,
  options: pulumi.InvokeOptions,
): Promise<Record<string, unknown>[]> {
  try {
    const answer = (await pulumi.runtime.invoke("stackyard:index:renderChart", { ...question }, options)) as {
      objects: Record<string, unknown>[];
    };
    return answer.objects;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new pulumi.RunError(`${place}: the chart charts/${question.chart} refuses it: ${message}`);
  }
}

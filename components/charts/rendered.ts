import * as pulumi from "@pulumi/pulumi";

/** A chart under `charts/` and its inputs. */
interface ChartQuestion {
  /** Folder under `charts/`. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: object;
}

/**
 * Renders a chart of this repository with Helm's template engine, through our provider. The provider caches renderings,
 * so an update without changes starts no engine. Needs no cluster. Throws a RunError with the chart's errors, prefixed
 * with `place`, a config path.
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

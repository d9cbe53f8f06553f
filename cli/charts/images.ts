import type { ListedImage } from "../../components/charts/images";
import { imagesOf } from "../../components/platform/facts";
import { CHART_NAMES, CHARTS } from "../../components/charts/table";
import type { Context } from "../context";
import { platformConfig } from "../../engine/stack/config";
import { table } from "../terminal/table";
import { structured, type OutputOptions } from "../options/output";

/** Lists all images of a stack, or without a stack those of all upstream charts. */
export async function listImages(context: Context, stack: string | undefined, options: OutputOptions): Promise<void> {
  const all = stack === undefined ? ofCharts() : imagesOf(await platformConfig(context.platforms, stack));
  const text = structured(all, options);
  if (text !== undefined) return context.print(text);
  if (options.output === "id") {
    return context.print([...new Set(all.map(({ image }) => image))].join("\n"));
  }
  const rows = all.map(({ component, role, image }) => [component, role, image]);
  context.print(table(["COMPONENT", "ROLE", "IMAGE"], rows));
}

const ofCharts = (): ListedImage[] =>
  CHART_NAMES.flatMap((component) =>
    Object.entries(CHARTS[component].images).map(([role, image]) => ({ component, role, image })),
  );

import { listedCharts, type ListedImage } from "../../components/charts/images";
import { imagesOf } from "../../components/platform/facts";
import { CHART_NAMES, CHARTS } from "../../components/charts/table";
import { decodePlatform, platformValues } from "../../engine/stack/config";
import { isObject } from "../../foundation/json/isObject";
import { without as withoutKeys } from "../../kubernetes/objects/objects";
import type { Context } from "../context";
import { table } from "../terminal/table";
import { structured, type OutputOptions } from "../options/output";

/** An image with its tag, or a chart. */
interface Listed extends ListedImage {
  /** Recorded or configured digest of an image. */
  readonly digest?: string;
  /** Where it comes from without a mirror, if there is one. */
  readonly source?: string;
}

/** Lists all images and charts of a stack, or without a stack the images of all upstream charts. */
export async function listImages(context: Context, stack: string | undefined, options: OutputOptions): Promise<void> {
  const all: Listed[] = stack === undefined ? ofCharts() : await ofStack(context, stack);
  const text = structured(all, options);
  if (text !== undefined) return context.print(text);
  if (options.output === "id") {
    // A chart that is in no registry has no reference.
    const references = all.map(({ image }) => image).filter((image) => !/^([a-z]+:\/\/|[./~])/.test(image));
    return context.print([...new Set(references)].join("\n"));
  }
  const columns = ["component", "role", "image", "digest", "source"] as const;
  const used = columns.filter((column) => all.some((one) => one[column] !== undefined));
  const rows = all.map((one) => used.map((column) => one[column] ?? ""));
  context.print(
    table(
      used.map((column) => column.toUpperCase()),
      rows,
    ),
  );
}

/** An image, and the digest beside its tag. */
const PINNED = /^(.*?)(?:(?<=:[\w.-]+)@(sha256:[0-9a-f]{64}))?$/;

const ofCharts = (): ListedImage[] =>
  CHART_NAMES.flatMap((component) =>
    Object.entries(CHARTS[component].images).map(([role, image]) => ({ component, role, image })),
  );

/** The list of a config is in the same order with and without mirrors. */
export async function ofStack({ platforms }: Context, stack: string): Promise<Listed[]> {
  const raw = await platformValues(platforms, stack);
  const listed = (values: typeof raw.values): ListedImage[] => {
    const config = decodePlatform(platforms, { ...raw, values });
    return [...imagesOf(config), ...listedCharts(config.charts)];
  };
  const without = (key: string, ...fields: readonly string[]) => {
    const value = raw.values[key];
    return isObject(value) && { [key]: withoutKeys(value, ...fields) };
  };
  const plain = { ...without("charts", "mirror", "username", "password"), ...without("images", "mirror") };
  const upstream = listed({ ...withoutKeys(raw.values, "mirror"), ...plain });
  return listed(raw.values).map((one, index) => {
    const [, image = "", digest] = PINNED.exec(one.image) ?? [];
    const [, source = ""] = PINNED.exec(upstream[index]?.image ?? "") ?? [];
    return { ...one, image, ...(digest !== undefined && { digest }), ...(source !== image && { source }) };
  });
}

/** The function `renderChart`: renders a chart of this package with Helm's engine. */

import { BundleCache } from "../../bundles/cache";
import { invokeHelm } from "../../bundles/format/helm/engine";
import { readFolder } from "../../bundles/sources/local";
import { TreeBuilder } from "../../bundles/tree/builder";
import { contentDigest, type FileTree } from "../../bundles/tree/tree";
import { chartFolder } from "../../foundation/chartFolder";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import type { FunctionHandler } from "../framework/function";
import { WANTED_VERSION } from "../../kubernetes/helmEngine/executable";
import { findRendering, keepRendering } from "./renderings";
import type { Json } from "../../foundation/json/isObject";

export interface ChartQuestion {
  /** Folder in `charts/`. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ChartAnswer {
  readonly objects: readonly Json[];
}

/**
 * Returns the cached rendering if no input changed: starting Helm's engine takes longer than the rest of an update
 * without changes. Only for charts that always render the same from the same values, as ours do.
 */
export const renderChart: FunctionHandler<ChartQuestion, ChartAnswer> = async (
  question,
  { chart, releaseName, namespace, values },
) => {
  const files = await filesOf(chartFolder(chart, __dirname), question.signal);
  const made = canonicalJson({ engine: WANTED_VERSION, digest: contentDigest(files), releaseName, namespace, values });
  const cache = new BundleCache((message) => question.log("warning", message));
  const known = await findRendering(cache, made);
  if (known !== undefined) return { objects: known };
  const options = { release_name: releaseName, namespace, values };
  const objects = (await invokeHelm(files.files, options, question.signal)) as Json[];
  await keepRendering(cache, made, objects);
  return { objects };
};

async function filesOf(folder: string, signal: AbortSignal): Promise<FileTree> {
  const builder = new TreeBuilder({ directory: "", keep: undefined, image: false });
  await readFolder(folder, builder, signal);
  return builder.build();
}

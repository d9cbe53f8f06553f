import { renderFiles } from "../../../kubernetes/helmEngine/renderer";

/** Renders the chart in these files with Helm's own engine. Throws like {@link renderFiles}. */
export const invokeHelm = (
  files: Iterable<readonly [string, Buffer]>,
  options: object,
  signal: AbortSignal,
): Promise<unknown> =>
  renderFiles(
    files,
    {
      token: "kubernetes:helm:template",
      args: (path) => ({ jsonOpts: JSON.stringify({ ...options, path }) }),
      title: "the chart",
    },
    signal,
  );

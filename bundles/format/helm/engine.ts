import { renderFiles } from "../../../kubernetes/helmEngine/renderer";

/** Renders the chart in these files by Helm's own engine. Throws as {@link renderFiles} does. */
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

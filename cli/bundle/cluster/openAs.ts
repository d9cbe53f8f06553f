import { openBundle, type Bundle, type Reader } from "../../../bundles/bundle";
import { Refused } from "../../../bundles/errors";
import { DEFAULT_FORMAT, FORMATS } from "../../../bundles/format/formats";
import type { BundleFormat } from "../../../bundles/format/format";
import type { Source } from "../../../foundation/bundleSources";
import { UsageError } from "../../../foundation/errors";

/** Fetches a bundle in the named format, or else in the detected one. */
export async function openAs(sources: readonly Source[], name: string | undefined, reader: Reader): Promise<Bundle> {
  if (name !== undefined) return openBundle(sources, reader, formatNamed(name));
  const plain = await openBundle(sources, reader, formatNamed(DEFAULT_FORMAT));
  for (const format of FORMATS.values()) {
    const { looksSo } = format;
    if (looksSo === undefined || (plain.tree.files.size > 0 && !looksSo.beside(plain.tree.others))) continue;
    const found = await openBundle(sources, reader, format).catch(ignoreRefused);
    if (found && looksSo.inside(found.tree)) return found;
  }
  return plain;
}

function formatNamed(name: string): BundleFormat {
  const format = FORMATS.get(name);
  if (format) return format;
  throw new UsageError(`--format: found ${JSON.stringify(name)}; expected one of ${[...FORMATS.keys()].join(", ")}`);
}

/** Too large to read in this format, which may be the wrong one. */
function ignoreRefused(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error;
}

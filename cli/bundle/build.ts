import { stat } from "node:fs/promises";
import { writeWhole } from "../../foundation/wholeFile";
import * as path from "node:path";
import { packTree, type Packed } from "../../bundles/archive/pack";
import { Refused } from "../../bundles/errors";
import type { BuildOptions } from "./options";
import type { Context } from "../context";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { open, targetOf, sourcesTitle } from "./source/open";

/** Checks a bundle and writes it as an archive. */
export async function buildBundle(context: Context, words: readonly string[], options: BuildOptions): Promise<void> {
  const file = options.output ?? (await nameFor(words, options));
  const { bundle } = await open(context, words, options, targetOf(options));
  const packed = await packTree(bundle.tree).catch((error: unknown): Packed => {
    if (!(error instanceof Refused)) throw error;
    throw new Failure(`${sourcesTitle(bundle.sources.map(({ source }) => source))}: ${error.message}`);
  });
  await writeWhole(file, packed.bytes).catch((error: unknown) => {
    throw new Failure(`${file} can't be written: ${messageOf(error)}`);
  });
  context.print(`archive ${file} ${packed.digest}`);
  context.print(`bundle  ${bundle.format.name} ${bundle.digest}`);
}

/** Chooses a file name that is not the name of a folder, so that no source is overwritten. */
async function nameFor(words: readonly string[], { file, directory }: BuildOptions): Promise<string> {
  const [word = ""] = words;
  const folder = path.resolve(word, directory ?? "");
  const single = words.length === 1 && file === undefined && path.basename(folder) !== "";
  const there = single ? await stat(folder).catch(() => undefined) : undefined;
  if (there?.isDirectory() === true) return `${path.basename(folder)}.tar.gz`;
  throw new UsageError("found no --output; expected the name of an archive where the source is not one folder");
}

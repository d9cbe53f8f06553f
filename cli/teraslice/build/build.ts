import { stat } from "node:fs/promises";
import * as path from "node:path";
import { image } from "../../../components/teraslice/schema/sections";
import type { BuildOptions } from "../options";
import { success, type Context } from "../../context";
import { UsageError } from "../../../foundation/errors";
import { runBuilder, findBuilder, pushImage } from "./builders";

/** Default names of builders, newer name first. */
const FILES = ["Containerfile", "Dockerfile"];

/** Standard output is for the result. */
const toPerson = (text: string): void => void process.stderr.write(text);

/** Builds an image of Teraslice, for example with changes, from a folder. Prints how to reference it in a config. */
export async function buildImage(
  context: Context,
  folder: string,
  options: BuildOptions,
  say = toPerson,
): Promise<void> {
  const { tag, buildArg = {}, platform, push } = options;
  const named = image().safeParse(tag);
  if (!named.success || tag.includes("@")) {
    const expected = named.success ? "a tag; the digest follows from what is built" : named.error.issues[0]?.message;
    throw new UsageError(`tag: found ${JSON.stringify(tag)}; expected ${expected}`);
  }
  const file = await fileIn(path.resolve(folder), options.file);
  const builder = await findBuilder(options.builder);
  context.live.line(`  ${builder.name} builds ${tag} from ${file}`);
  const wanted = { tag, folder: path.resolve(folder), file, buildArgs: buildArg };
  const id = await runBuilder(builder, { ...wanted, ...(platform !== undefined && { platform }) }, say);
  if (push !== true) {
    success(context, `image ${tag} is built, with the id ${id}; only ${builder.name} of this machine has it (--push)`);
    return context.print(tag);
  }
  const digest = await pushImage(builder, tag, say);
  success(context, `image ${tag} is built and pushed, with the digest ${digest}`);
  context.print(`${tag}@${digest}`);
}

async function fileIn(folder: string, given: string | undefined): Promise<string> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new UsageError(`folder: found ${folder}; expected a folder`);
  // Relative to the current folder, as in all builders.
  const wanted = given === undefined ? FILES.map((name) => path.join(folder, name)) : [path.resolve(given)];
  for (const file of wanted) if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  const expected = given === undefined ? `one with ${FILES.join(" or ")}, or --file` : "a file";
  throw new UsageError(`${given === undefined ? "folder" : "file"}: found ${given ?? folder}; expected ${expected}`);
}

import { openBundle, type Bundle } from "../../provider/bundles/bundle";
import { FormatError, Refused, Unavailable } from "../../provider/bundles/errors";
import type { BundleObject } from "../../provider/bundles/format/format";
import { Failure } from "../errors";
import { sourceOf } from "./sourceArgument";

export interface Opened {
  readonly bundle: Bundle;
  readonly objects: readonly BundleObject[];
}

/** Reads a bundle for a command. What is wrong with it is a {@link Failure}. */
export async function open(sources: readonly string[], directory: string | undefined): Promise<Opened> {
  try {
    const wanted = sources.map((text) => sourceOf(text, directory));
    const bundle = await openBundle(wanted, { base: process.cwd() });
    return { bundle, objects: bundle.format.read(bundle.tree) };
  } catch (error) {
    if (error instanceof Refused || error instanceof Unavailable || error instanceof FormatError) {
      throw new Failure(`${sources.join(", ")}: ${error.message}`);
    }
    throw error;
  }
}

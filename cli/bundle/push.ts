import { Refused, Unavailable } from "../../provider/bundles/errors";
import { ownCredentials } from "../../provider/bundles/image/credentials";
import { pushImage } from "../../provider/bundles/image/push";
import { describeReference, parseReference, type Reference } from "../../provider/bundles/image/reference";
import type { PushOptions } from "../commands/bundle";
import type { Context } from "../context";
import { Failure, messageOf, UsageError } from "../errors";
import { open, targetOf } from "./open";
import { withoutScheme } from "./sourceArgument";

/** Checks a bundle and brings it into a registry as an image. */
export async function push(context: Context, word: string, image: string, options: PushOptions): Promise<void> {
  const name = withoutScheme(image);
  const reference = referenceOf(name);
  const { tag, digest } = reference;
  if (tag === undefined) throw new UsageError(`found the digest ${digest} in the image; expected a tag or nothing`);
  const { bundle } = await open(context, [word], options, targetOf(options));
  try {
    const credentials = await ownCredentials(reference);
    const pushed = await pushImage(bundle.tree, reference, tag, {
      trust: {},
      plainHttp: options.plainHttp,
      credentials,
    });
    context.print(`${name}@${pushed}`);
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unavailable)) throw error;
    throw new Failure(`${describeReference(reference)}: ${error.message}`);
  }
}

function referenceOf(name: string): Reference {
  try {
    return parseReference(name);
  } catch (error) {
    throw new UsageError(`image: ${messageOf(error).replace(/^ref: /, "")}`);
  }
}

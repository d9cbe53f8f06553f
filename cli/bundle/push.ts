import { Refused, Unavailable } from "../../bundles/errors";
import { ownCredentials } from "../../bundles/image/credentials";
import { pushImage } from "../../bundles/image/push";
import { describeReference, parseReference, type Reference } from "../../foundation/registry/reference";
import type { PushOptions } from "./options";
import type { Context } from "../context";
import { Failure, messageOf, UsageError } from "../../foundation/errors";
import { bytes } from "../../foundation/text/numbers";
import { open, targetOf } from "./source/open";
import { trustOf } from "./source/trust";
import { withoutScheme } from "./source/sourceArgument";

const PROGRESS_FROM = 8 * 1024 * 1024;

/** Checks a bundle and pushes it to a registry as an image. */
export async function push(context: Context, word: string, image: string, options: PushOptions): Promise<void> {
  const name = withoutScheme(image);
  const reference = referenceOf(name);
  const { bundle } = await open(context, [word], options, targetOf(options));
  try {
    const credentials = await ownCredentials(reference);
    const trust = await trustOf(options);
    const { plainHttp } = options;
    const sent = (done: number, all: number): void => {
      // Small uploads need no progress report.
      if (all < PROGRESS_FROM) return;
      context.live.status(`sending ${bytes(all)}: ${Math.floor((done / all) * 10) * 10} %`);
    };
    const pushed = await pushImage(bundle.tree, reference, { trust, plainHttp, credentials, sent });
    context.live.end();
    context.print(`${name.replace(/@.*$/, "")}@${pushed}`);
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

import type { VerifyOptions } from "../commands/bundle";
import type { Context } from "../context";
import { Failure, UsageError } from "../errors";
import { count } from "../terminal/numbers";
import { open, titleOf } from "./open";

/** Ends well when a bundle is right and the expected one. */
export async function verify(context: Context, words: readonly string[], options: VerifyOptions): Promise<void> {
  const { digest } = options;
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new UsageError(`--digest: found ${JSON.stringify(digest)}; expected sha256: and 64 of 0-9 and a-f`);
  }
  const { bundle, objects } = await open(words, options);
  if (digest !== undefined && bundle.digest !== digest) {
    throw new Failure(
      `${titleOf(bundle.sources.map(({ source }) => source))}: the content has the digest ${bundle.digest}; expected ${digest}`,
    );
  }
  context.print(`${bundle.digest} is a ${bundle.format.name} bundle with ${count(objects.length, "object")}`);
}

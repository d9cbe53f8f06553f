import type { VerifyOptions } from "../commands/bundle";
import type { Context } from "../context";
import { Failure, UsageError } from "../errors";
import { count } from "../terminal/numbers";
import { clusterOf } from "./cluster";
import { checksOf, crdTroubles } from "./crds";
import { open, titleOf } from "./open";

/** Ends well when a bundle is right and the expected one. */
export async function verify(context: Context, words: readonly string[], options: VerifyOptions): Promise<void> {
  const { digest } = options;
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw new UsageError(`--digest: found ${JSON.stringify(digest)}; expected sha256: and 64 of 0-9 and a-f`);
  }
  const allowed = checksOf(options.allow);
  const client = await clusterOf(context.root, options);
  const { bundle, objects } = await open(words, options);
  const title = titleOf(bundle.sources.map(({ source }) => source));
  if (digest !== undefined && bundle.digest !== digest) {
    throw new Failure(`${title}: the content has the digest ${bundle.digest}; expected ${digest}`);
  }
  if (client) {
    const troubles = await crdTroubles(
      client,
      objects.map(({ object }) => object),
      allowed,
    );
    if (troubles.length > 0)
      throw new Failure(told(`${title}: its CRDs would break what is in the cluster:`, troubles));
  }
  context.print(`${bundle.digest} is a ${bundle.format.name} bundle with ${count(objects.length, "object")}`);
}

/** Longer lists help nobody. */
const MOST_TOLD = 100;

function told(heading: string, troubles: readonly string[]): string {
  const more = troubles.length > MOST_TOLD ? [`  - and ${troubles.length - MOST_TOLD} more`] : [];
  return [heading, ...troubles.slice(0, MOST_TOLD).map((trouble) => `  - ${trouble}`), ...more].join("\n");
}

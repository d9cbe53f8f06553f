/** One update or deletion of a release in a process of its own, to be killed in the middle. Reads a JSON of what to do from its input. */

import { text } from "node:stream/consumers";
import { bundleRelease } from "../../../provider/resources/bundleRelease/bundleRelease";
import type { ReleaseInputs, ReleaseState } from "../../../provider/resources/bundleRelease/inputs";
import type { Context } from "../../../foundation/pulumi/resource";

export interface Order {
  readonly inputs: ReleaseInputs;
  readonly old?: { readonly inputs: ReleaseInputs; readonly state: ReleaseState };
  /** It is to be deleted. */
  readonly down?: boolean;
}

async function main(): Promise<void> {
  const { inputs, old, down } = JSON.parse(await text(process.stdin)) as Order;
  const context: Context = {
    urn: "urn:test",
    backend: "file:///state",
    preview: false,
    signal: new AbortController().signal,
    timeoutSeconds: undefined,
    log: (_severity, message) => void process.stdout.write(`${message}\n`),
  };
  if (old && down) await bundleRelease.delete(context, "id", old);
  else if (old) await bundleRelease.update(context, "id", old, inputs);
  else await bundleRelease.create(context, inputs);
}

void main();

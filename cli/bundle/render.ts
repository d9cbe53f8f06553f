import { dump } from "js-yaml";
import { placeText } from "../../bundles/errors";
import type { RenderOptions } from "./options";
import type { Context } from "../context";
import { selectedCluster } from "./cluster/cluster";
import { open, targetOf } from "./source/open";

/** Prints the objects that a bundle would apply, in order, as a file for kubectl. */
export async function render(context: Context, words: readonly string[], options: RenderOptions): Promise<void> {
  const client = await selectedCluster(context.platforms, options);
  const { objects } = await open(context, words, options, { ...targetOf(options), client });
  if (options.json === true) {
    const items = objects.map(({ object }) => object);
    return context.print(JSON.stringify({ apiVersion: "v1", kind: "List", items }, undefined, 2));
  }
  const documents = objects.map(({ object, wave, ...place }) => {
    const from = `${placeText(place)}${wave === undefined ? "" : `, wave ${wave}`}`;
    return `# ${from.replaceAll(/[^\x20-\x7e]/g, "?")}\n${dump(object, { noRefs: true, lineWidth: -1 })}`;
  });
  context.print(documents.join("---\n").trimEnd());
}

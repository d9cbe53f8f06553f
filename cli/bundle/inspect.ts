import { placeText, printable } from "../../bundles/errors";
import { asks } from "../../bundles/permissions/asks";
import { asksText } from "../../bundles/permissions/text";
import type { InspectOptions } from "./options";
import type { Context } from "../context";
import { bytes, count } from "../../foundation/text/numbers";
import { numbers, table } from "../terminal/table";
import { open, targetOf } from "./source/open";

/** Shows the content of a bundle. */
export async function inspect(context: Context, words: readonly string[], options: InspectOptions): Promise<void> {
  const { bundle, objects } = await open(context, words, options, targetOf(options));
  const rows = objects.map(({ object, file, document, line, wave }) => ({
    wave,
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: object.metadata.namespace,
    name: object.metadata.name,
    file,
    document,
    line,
  }));
  const resolved = bundle.sources.map(({ title, source, digest }) => ({ type: source.type, source: title, digest }));
  const { format, digest, tree } = bundle;
  const asked = asks(
    objects.map(({ object }) => object),
    options.namespace ?? "default",
  );
  const about = (await format.about?.(tree)) ?? {};
  if (options.json === true) {
    const result = { format: format.name, digest, sources: resolved, about, objects: rows, asks: asked };
    context.print(JSON.stringify(result, undefined, 2));
    return;
  }
  const lines = asksText(asked);
  if (options.effects === true) {
    context.print(lines.length > 0 ? lines.join("\n") : "It requests nothing.");
    return;
  }
  const size = [...tree.files.values()].reduce((sum, content) => sum + content.length, 0);
  for (const each of resolved) context.print(`source  ${each.source} at ${each.digest}`);
  context.print(`bundle  ${format.name} ${digest}`);
  context.print(`        ${count(objects.length, "object")} in ${count(tree.files.size, "file")}, ${bytes(size)}`);
  for (const [name, text] of Object.entries(about)) context.print(printable(`        ${name}: ${text}`));
  context.print("");
  context.print(
    table(
      [numbers("WAVE"), "KIND", "NAMESPACE", "NAME", "FROM"],
      rows.map(({ wave, kind, namespace, name, file, line }) => [
        wave === undefined ? "-" : String(wave),
        kind,
        namespace ?? "-",
        name,
        placeText({ file, line }),
      ]),
    ),
  );
  if (lines.length > 0) context.print(["", ...lines].join("\n"));
}

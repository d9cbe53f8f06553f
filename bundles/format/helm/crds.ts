/** Kinds that a chart defines in its `crds/` folders. */

import { at, isList, textAt } from "../../../kubernetes/objects/objects";
import { readDocuments } from "../documents";
import type { Chart } from "./chart";

/** Returns them in the format of served API versions. Unreadable files are reported during rendering. */
export function ownApis({ files }: Chart): string[] {
  return [...files].flatMap(([file, bytes]) => {
    if (!/(^|\/)crds\/.*\.(ya?ml|json)$/.test(file)) return [];
    return readDocuments(file, bytes).documents.flatMap(({ value }) => {
      const group = textAt(value, "spec", "group");
      const kind = textAt(value, "spec", "names", "kind");
      const versions = at(value, "spec", "versions");
      if (group === undefined || kind === undefined || !isList(versions)) return [];
      return versions.flatMap((version) => {
        const name = textAt(version, "name");
        return name === undefined || at(version, "served") === false
          ? []
          : [`${group}/${name}`, `${group}/${name}/${kind}`];
      });
    });
  });
}

/** Kinds that a chart defines in its folders `crds/`. */

import { at, isList, textAt } from "../../../kubernetes/client/objects";
import { readDocuments } from "../documents";
import type { Chart } from "./chart";

/** As a cluster says what it serves. What can't be read is reported when it is rendered. */
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

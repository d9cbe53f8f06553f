/** Information about an operator for users before its installation. */

import { at, textAt } from "../../../kubernetes/objects/objects";
import type { FileTree } from "../../tree/tree";
import { ANNOTATIONS_FILE, PACKAGE, readMetadata } from "./annotations";
import type { Content } from "./content";
import { wordsOf } from "./dependencies";
import { supportedModes } from "./objects/installModes";
import { isObject } from "../../../foundation/json/isObject";

const SUGGESTED_NAMESPACE = "operatorframework.io/suggested-namespace";

export function aboutOperator(tree: FileTree, { csv, dependencies }: Content): Readonly<Record<string, string>> {
  const annotations = at(readMetadata(tree, ANNOTATIONS_FILE).value, "annotations");
  const about = {
    package: isObject(annotations) ? textAt(annotations, PACKAGE) : undefined,
    version: textAt(csv.object, "spec", "version"),
    "install modes": supportedModes(csv).join(", "),
    "suggested namespace": csv.annotations[SUGGESTED_NAMESPACE],
    "least Kubernetes": csv.minKubeVersion,
    needs: [...new Set(dependencies.map(wordsOf))].join(", "),
  };
  return Object.fromEntries(Object.entries(about).flatMap(([key, text]) => (text ? [[key, text]] : [])));
}

/** Reads a package from a file-based catalog of OLM. */

import { valid } from "semver";
import { isObject, type Json } from "../../foundation/json/isObject";
import { nearest } from "../../foundation/text/nearest";
import { isList, listAt, textAt } from "../../kubernetes/objects/objects";
import { placeText, Refused } from "../errors";
import { newReadLimits, readDocuments } from "../format/documents";
import type { FileTree } from "../tree/tree";

/** How a bundle follows others in a channel. */
export interface Edge {
  readonly channel: string;
  readonly bundle: string;
  /** Names of bundles that it may follow. */
  readonly follows: readonly string[];
  /** Versions that it may follow. */
  readonly skipRange: string | undefined;
}

export interface CatalogBundle {
  readonly name: string;
  readonly version: string;
  readonly image: string;
}

export interface CatalogPackage {
  readonly bundles: readonly CatalogBundle[];
  readonly edges: readonly Edge[];
}

/** Files that catalogs have beside their content. */
const OTHERS = /(^|\/)(\.indexignore|README[^/]*|OWNERS)$/;

/** Throws {@link Refused} with the first fault, or the names of the packages that are there. */
export function readPackage(tree: FileTree, name: string): CatalogPackage {
  const objects = documentsIn(tree);
  const of = (schema: string): Json[] =>
    objects.filter((one) => one["schema"] === schema && textAt(one, "package") === name);
  const bundles = of("olm.bundle").map((one) => bundleOf(one, name));
  if (bundles.length > 0) return { bundles, edges: of("olm.channel").flatMap(edgesOf) };
  const names = objects.flatMap((one) => (one["schema"] === "olm.package" ? (textAt(one, "name") ?? []) : []));
  const near = nearest(name, names);
  const there = near === undefined ? `it has ${names.length} others` : `did you mean ${near}?`;
  throw new Refused(`the catalog has no bundle of package ${name}; ${there}`);
}

function documentsIn({ files }: FileTree): Json[] {
  const limits = newReadLimits(true);
  return [...files]
    .filter(([file]) => !OTHERS.test(file))
    .flatMap(([file, bytes]) => {
      const { documents, faults } = readDocuments(file, bytes, limits);
      const [fault] = faults;
      if (fault) throw new Refused(`${placeText(fault)}: ${fault.what}`);
      return documents.map(({ value }) => value).filter(isObject);
    });
}

function bundleOf(object: Json, of: string): CatalogBundle {
  const [name = "", image] = [textAt(object, "name"), textAt(object, "image")];
  const property = listAt(object, "properties").find(({ type }) => type === "olm.package");
  const version = textAt(property, "value", "version");
  if (valid(version) === null || version === undefined || image === undefined)
    throw new Refused(`the bundle ${name} of package ${of} has no image, or no version in its olm.package`);
  return { name, version, image };
}

function edgesOf(channel: Json): Edge[] {
  return listAt(channel, "entries").map((entry) => ({
    channel: textAt(channel, "name") ?? "",
    bundle: textAt(entry, "name") ?? "",
    follows: [entry["replaces"], ...(isList(entry["skips"]) ? entry["skips"] : [])].filter(
      (one) => typeof one === "string",
    ),
    skipRange: textAt(entry, "skipRange"),
  }));
}

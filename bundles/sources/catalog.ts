/** A version of a package in a file-based catalog of OLM, which names the image of each version. */

import type { SourceOf } from "../../foundation/bundleSources";
import { parseReference } from "../../foundation/registry/reference";
import { chooseBundle } from "../catalog/choose";
import { readPackage, type CatalogBundle, type CatalogPackage } from "../catalog/read";
import { Refused } from "../errors";
import { cleanDirectory } from "../tree/paths";
import type { FileTree } from "../tree/tree";
import { imageSource, type ImageSource } from "./image";
import type { SourceAccess, SourceKind } from "./kind";
import { readLocal } from "./local";

type CatalogSource = SourceOf<"catalog">;

const ANY = "*";

export const catalog: SourceKind<CatalogSource> = {
  describe: ({ package: name, version = ANY, ...source }) => `${name} ${version} of ${placeOf(source)}`,
  cacheKey: (source) => imageSource.cacheKey(image(source, "")),
  resolve: async (source, access) => {
    const found = await packageOf(source, access);
    const installed = source.anyUpgrade === true ? undefined : installedIn(found, source, access);
    const chosen = chooseBundle(found, { version: ANY, ...source }, installed);
    const title = catalog.describe({ ...source, version: chosen.version });
    return { ...(await imageSource.resolve(image(source, chosen.image), access)), title };
  },
  fetch: async (source, digest, access) => {
    const { bundles } = await packageOf(source, access);
    for (const one of bundles) {
      const bundle = image(source, one.image);
      if ((digestOf(one) ?? (await imageSource.resolve(bundle, access)).digest) === digest)
        return imageSource.fetch(bundle, digest, access);
    }
    throw new Refused(`the catalog has no version with the digest ${digest} any more`);
  },
};

/** Its registry is accessed as the catalog's is. */
const image = (source: CatalogSource, ref: string): ImageSource => ({ ...source, type: "image", ref, directory: "" });

const placeOf = ({ ref, path = "" }: Pick<CatalogSource, "ref" | "path">): string =>
  ref === undefined ? path : imageSource.describe({ type: "image", ref });

const digestOf = (bundle: CatalogBundle): string | undefined => parseReference(bundle.image).digest;

/** The bundle of the last update. What the catalog does not know may become anything, so that is a question. */
function installedIn(
  { bundles }: CatalogPackage,
  source: CatalogSource,
  { before = [] }: SourceAccess,
): CatalogBundle | undefined {
  if (before.length === 0) return undefined;
  const installed = bundles.find((one) => before.includes(digestOf(one) ?? ""));
  if (installed !== undefined) return installed;
  throw new Refused(
    `the installed content (${before.join(", ")}) is no version of ${source.package} in the catalog, so that it is not ` +
      "known what it may become; to choose any version, set anyUpgrade: true",
  );
}

async function packageOf(source: CatalogSource, access: SourceAccess): Promise<CatalogPackage> {
  return readPackage(await catalogOf(source, access), source.package);
}

/** By convention, an image has its packages in folders below `configs`. */
async function catalogOf(source: CatalogSource, access: SourceAccess): Promise<FileTree> {
  const { ref, path = "", package: name } = source;
  const whole = { ...access, keep: undefined };
  const directory = cleanDirectory(source.directory ?? (ref === undefined ? "" : `configs/${name}`));
  if (ref === undefined) return readLocal({ type: "local", path, directory }, whole);
  const place: ImageSource = { ...image(source, ref), directory };
  const { digest } = await imageSource.resolve(place, whole);
  const key = JSON.stringify({ ...imageSource.cacheKey(place), type: "catalog", digest });
  const kept = await access.cache.find(key);
  if (kept !== undefined) return kept;
  const tree = await imageSource.fetch(place, digest, whole);
  await access.cache.keep(key, tree);
  return tree;
}

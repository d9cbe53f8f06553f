import type { Source, SourceOf, SourceType } from "../../foundation/bundleSources";
import { catalog } from "./catalog";
import { configMaps } from "./configMaps";
import { gitSource } from "./git";
import { httpSource } from "./http";
import { imageSource } from "./image";
import type { SourceKind } from "./kind";
import { local } from "./local";

/** Source kinds by their `type`. A new kind has its fields in foundation/bundleSources.ts, a file here, and an entry. */
const KINDS: { readonly [T in SourceType]: SourceKind<SourceOf<T>> } = {
  local,
  http: httpSource,
  git: gitSource,
  image: imageSource,
  catalog,
  configMaps,
};

// Each kind only gets its own sources.
export const sourceKind = (source: Source): SourceKind<Source> => KINDS[source.type];

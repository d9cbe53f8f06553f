import { configMaps } from "./configMaps";
import { gitSource } from "./git";
import { httpSource } from "./http";
import { imageSource } from "./image";
import type { SourceKind } from "./kind";
import { local } from "./local";
import type { Source } from "./source";

/** Source kinds by their `type`. A new kind has a file in this folder, and an entry here and in `Source`. */
export const SOURCES: { readonly [T in Source["type"]]: SourceKind<Extract<Source, { type: T }>> } = {
  local,
  http: httpSource,
  git: gitSource,
  image: imageSource,
  configMaps,
};

// Each kind only gets its own sources.
export const sourceKind = (source: Source): SourceKind<Source> => SOURCES[source.type];

import { configMaps } from "./configMaps";
import { gitSource } from "./git";
import { httpSource } from "./http";
import { imageSource } from "./image";
import type { SourceKind } from "./kind";
import { local } from "./local";
import type { Source } from "./source";

/** Every kind of source by the type that names it. A new one has a file beside this one, an entry here and in `Source`. */
export const SOURCES: { readonly [T in Source["type"]]: SourceKind<Extract<Source, { type: T }>> } = {
  local,
  http: httpSource,
  git: gitSource,
  image: imageSource,
  configMaps,
};

// Each kind is only ever given its own sources.
export const kindOf = (source: Source): SourceKind<Source> => SOURCES[source.type];

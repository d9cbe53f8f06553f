/** Sources of a bundle's content. */

import type { ConfigMapsSource } from "./configMaps";
import type { GitSource } from "./git";
import type { HttpSource } from "./http";
import type { ImageSource } from "./image";
import type { LocalSource } from "./local";

export type Source = LocalSource | HttpSource | GitSource | ImageSource | ConfigMapsSource;

/** Format registry+v1. The code that reads operators is loaded on demand, because most updates only compare digests. */

import type { BundleFormat } from "../format";
import { FOLDER } from "../manifests";
import { ANNOTATIONS_FILE, METADATA, REGISTRY_V1 } from "./annotations";

const operator = () => import("./operator.js");

export const REGISTRY: BundleFormat = {
  name: REGISTRY_V1,
  keep: [FOLDER, METADATA],
  looksSo: {
    beside: (names) => names.includes(METADATA),
    inside: ({ files }) => files.has(ANNOTATIONS_FILE),
  },
  about: async (tree) => (await operator()).about(tree),
  read: async (tree, purpose) => (await operator()).read(tree, purpose),
};

import { provisionerType } from "../provisionerType";
import { decodeGardener, gardenerSchema } from "./config";
import { describeGardener, gardenerPlaceIn, gardenerTarget, isSameShoot, keepInShoot } from "./place";
import { planGardener } from "./plan";
import { gardenerSpec } from "./spec";

/** Each deployment gets a dedicated Kubernetes cluster from Gardener. */
export const gardenerType = provisionerType({
  type: "gardener",
  schema: gardenerSchema,
  spec: gardenerSpec,
  gives: "cluster",
  isFixed: true,
  takesCluster: true,
  isDeletedByMove: true,
  decode: decodeGardener,
  plan: planGardener,
  placeIn: gardenerPlaceIn,
  isSamePlace: isSameShoot,
  keepInPlace: keepInShoot,
  target: gardenerTarget,
  kind: () => "Gardener",
  describePlace: describeGardener,
  dataAfterMove: () => "; the cluster and everything in it are deleted once the new runtime is ready",
  create: async (plan, options) => (await import("./create.js")).createGardener(plan, options),
});

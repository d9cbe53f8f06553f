import type { GardenerProvisioner } from "../../platform/platform";
import type { RuntimeType } from "../runtimeType";
import { createGardener } from "./create";
import {
  describeGardener,
  gardenerPlaceIn,
  gardenerTarget,
  isSameShoot,
  keepInShoot,
  type GardenerPlace,
} from "./place";
import { planGardener, type GardenerPlan } from "./plan";

/** Each deployment gets a dedicated Kubernetes cluster from Gardener. */
export const gardenerType: RuntimeType<GardenerProvisioner, GardenerPlan, GardenerPlace> = {
  plan: planGardener,
  placeIn: gardenerPlaceIn,
  isSamePlace: isSameShoot,
  keepInPlace: keepInShoot,
  target: gardenerTarget,
  kind: () => "Gardener",
  describePlace: describeGardener,
  dataAfterMove: () => "; the cluster and everything in it are deleted once the new runtime is ready",
  create: createGardener,
};

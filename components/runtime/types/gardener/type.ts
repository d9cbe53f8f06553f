import type { GardenerProvisioner } from "../../platform/platform";
import type { RuntimeType } from "../runtimeType";
import { createGardener } from "./create";
import {
  describeGardener,
  gardenerPlaceIn,
  gardenerTarget,
  isSameShoot,
  stayInShoot,
  type GardenerPlace,
} from "./place";
import { planGardener, type GardenerPlan } from "./plan";

/** A Kubernetes cluster of its own, created by Gardener. */
export const gardenerType: RuntimeType<GardenerProvisioner, GardenerPlan, GardenerPlace> = {
  plan: planGardener,
  placeIn: gardenerPlaceIn,
  isSamePlace: isSameShoot,
  stay: stayInShoot,
  target: gardenerTarget,
  kind: () => "Gardener",
  describePlace: describeGardener,
  leftBehind: () => "; the cluster and everything in it are deleted once the new runtime is ready",
  create: createGardener,
};

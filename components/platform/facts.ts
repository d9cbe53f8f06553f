/** What all features of a platform have, as loops over the list. Pure. */

import type { ListedImage } from "../charts/images";
import type { PlannedRelease } from "../charts/plannedRelease";
import type { PlacedPod } from "../cluster/nodePool/placedPods";
import type { PlannedRole } from "../cluster/serviceAccountRole/plan";
import type { Feature } from "../feature";
import { FEATURES } from "../features";
import type { BalancerOwner } from "../resources/guard/loadBalancerGuard";
import type { PlatformConfig } from "./config/platformConfig";

const features: readonly Feature[] = FEATURES;

/** Every image that the components of a stack may run, once per purpose. */
export const imagesOf = (config: PlatformConfig): ListedImage[] =>
  features.flatMap((one) => one.images?.(config) ?? []);

/** The pods whose size and placement the config determines. */
export const placedPods = (config: PlatformConfig): PlacedPod[] => features.flatMap((one) => one.pods?.(config) ?? []);

/** The releases that a platform installs on its cluster. */
export const plannedReleases = (config: PlatformConfig): PlannedRelease[] =>
  features.flatMap((one) => one.releases?.(config) ?? []);

/** The IAM roles that a platform creates. */
export const plannedRoles = (config: PlatformConfig): PlannedRole[] =>
  features.flatMap((one) => one.roles?.(config) ?? []);

/** Owners of Services and Ingresses with load balancers, besides components with data. */
export const balancerOwners = (config: PlatformConfig): BalancerOwner[] =>
  features.flatMap((one) => one.balancers?.(config) ?? []);

import { isObject } from "../../foundation/json/isObject";
import type { RuntimeOptions } from "./operate";
import type { Prepared } from "./request/prepare";

/** Resources inside the cluster of a runtime: bindings, Kyma and its agent. */
const IN_CLUSTER = [
  "**stackyard:index:GardenerRuntime$stackyard:index:ManifestSet::**",
  "**stackyard:index:GardenerKyma**",
];

/**
 * Flags that exclude the resources inside a cluster from an update. Without them the engine would retry resources whose
 * last update failed. Used when an update only starts a change of the cluster, and when the cluster is to be
 * hibernated.
 */
export function leavingContents(
  { config }: Pick<Prepared, "config">,
  { only }: Pick<RuntimeOptions, "only">,
): string[] {
  const deployment = isObject(config.deployment) ? config.deployment : {};
  const sleeps = deployment["state"] === "hibernated" && isObject(deployment["cluster"]) && config.move === undefined;
  return only === "cluster" || sleeps ? IN_CLUSTER.flatMap((urns) => ["--exclude", urns]) : [];
}

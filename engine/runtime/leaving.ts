import { isObject } from "../../foundation/json/isObject";
import type { RuntimeOptions } from "./operate";
import type { Prepared } from "./request/prepare";

/** What is in the cluster of a runtime: bindings, Kyma and its agent. */
const IN_CLUSTER = [
  "**stackyard:index:GardenerRuntime$stackyard:index:ManifestSet::**",
  "**stackyard:index:GardenerKyma**",
];

/**
 * Flags by which the engine leaves what is in a cluster exactly as it is, also after an update of it that failed: the
 * engine would try that again. For runs that only begin a change of the cluster, and for clusters that are to sleep.
 */
export function leavingContents(
  { config }: Pick<Prepared, "config">,
  { only }: Pick<RuntimeOptions, "only">,
): string[] {
  const deployment = isObject(config.deployment) ? config.deployment : {};
  const sleeps = deployment["state"] === "hibernated" && isObject(deployment["cluster"]) && config.move === undefined;
  return only === "cluster" || sleeps ? IN_CLUSTER.flatMap((urns) => ["--exclude", urns]) : [];
}

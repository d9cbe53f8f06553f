import type { SlotSize } from "../runtime/platform/platform";
import { revisionOf } from "../runtime/revision";
import type { GardenerConfig, KubernetesConfig } from "./settings";

interface RevisedConfig {
  readonly pools: Readonly<Record<string, unknown>>;
  readonly kubernetes: Readonly<Record<string, KubernetesConfig>>;
  readonly gardener?: Readonly<Record<string, GardenerConfig>>;
  readonly slot: SlotSize;
}

/** Revision of each provisioner, by name. A runtime with another revision is outdated. */
export function provisionerRevisions({
  pools,
  kubernetes,
  gardener = {},
  slot,
}: RevisedConfig): Record<string, string> {
  return Object.fromEntries([
    ...Object.keys(pools).map((name) => [name, revisionOf("static", slot)] as const),
    ...Object.entries({ ...kubernetes, ...gardener }).map(
      ([name, { settings }]) => [name, revisionOf(settings, slot)] as const,
    ),
  ]);
}

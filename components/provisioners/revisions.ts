import type { PlatformConfig } from "../platform/config/platformConfig";
import { revisionOf } from "../runtime/revision";

/** Revision of each provisioner, by name. A runtime with another revision is outdated. */
export function provisionerRevisions({
  pools,
  kubernetes,
  gardener = {},
  slot,
}: Pick<PlatformConfig, "pools" | "kubernetes" | "gardener" | "slot">): Record<string, string> {
  return Object.fromEntries([
    ...Object.keys(pools).map((name) => [name, revisionOf("static", slot)] as const),
    ...Object.entries({ ...kubernetes, ...gardener }).map(
      ([name, { settings }]) => [name, revisionOf(settings, slot)] as const,
    ),
  ]);
}

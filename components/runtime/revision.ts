import type { GardenerSettings, KubernetesSettings } from "../platform/config/platformConfig";
import { canonicalJson } from "../../foundation/json/canonicalJson";
import { shortHash } from "../../foundation/text/legalName";
import type { SlotSize } from "./platform/platform";

/**
 * Revision of a provisioner: a digest of everything about it that a runtime is made from. Credentials, addresses and
 * what only matters while an update runs are not in it, so that a renewed token makes no runtime outdated.
 */
export function revisionOf(settings: KubernetesSettings | GardenerSettings | "static", slot: SlotSize): string {
  const made = settings === "static" ? {} : { ...settings, timeoutSeconds: undefined, timeouts: undefined };
  return shortHash(canonicalJson([made, slot]), 12);
}

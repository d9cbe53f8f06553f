import { canonicalJson } from "../../foundation/json/canonicalJson";
import { shortHash } from "../../foundation/text/legalName";
import type { GardenerSettings, KubernetesSettings, SlotSize } from "./platform/platform";

/**
 * The revision of a provisioner: a digest of all settings that runtimes depend on. It ignores credentials, addresses
 * and settings that matter only during an update, so that a renewed token makes no runtime outdated.
 */
export function revisionOf(settings: KubernetesSettings | GardenerSettings | "static", slot: SlotSize): string {
  const made = settings === "static" ? {} : { ...settings, timeoutSeconds: undefined, timeouts: undefined };
  return shortHash(canonicalJson([made, slot]), 12);
}

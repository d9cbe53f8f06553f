import { createHash } from "node:crypto";
import type { KubernetesSettings } from "../config/platformConfig";
import type { SlotSize } from "./platform";

/**
 * Revision of a provisioner: a digest of everything about it that a runtime is made from. Credentials, addresses and
 * what only matters while an update runs are not in it, so that a renewed token makes no runtime outdated.
 */
export function revisionOf(settings: KubernetesSettings | "static", slot: SlotSize): string {
  const made = settings === "static" ? {} : { ...settings, timeoutSeconds: undefined };
  return createHash("sha256")
    .update(JSON.stringify([sorted(made), sorted(slot)]))
    .digest("hex")
    .slice(0, 12);
}

const sorted = (object: object): [string, unknown][] =>
  Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

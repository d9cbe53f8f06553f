/**
 * Finds network ranges of a Shoot that overlap with those of its Seed. Newer releases of Gardener allow that for some
 * clusters, so overlaps are not faults. Pure.
 */

import { overlap, parseCidr } from "../../foundation/net/cidr";
import { textAt, type KubeObject } from "../objects/objects";

const KINDS = ["nodes", "pods", "services"] as const;

/** Every range that overlaps with one of the Seed's, with its path in the Shoot. */
export function seedOverlaps(seed: KubeObject, shoot: KubeObject): string[] {
  return KINDS.flatMap((kind) => {
    const range = textAt(shoot, "spec", "networking", kind);
    const asked = parseCidr(range ?? "");
    if (asked === undefined) return [];
    return KINDS.flatMap((other) => {
      const taken = textAt(seed, "spec", "networks", other);
      const used = parseCidr(taken ?? "");
      if (used === undefined || !overlap(asked, used)) return [];
      return [
        `spec.networking.${kind}: found ${range}, which overlaps with ${taken}, the ${other} of Seed ${seed.metadata.name}; Gardener may refuse that`,
      ];
    });
  });
}

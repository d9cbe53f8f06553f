import { nodeLabels, type NodePoolConfig } from "../../cluster/nodePool/plan";
import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { DEFAULT_POOL } from "../clusters";
import type { RayInput } from "./schema";

/** Faults for unknown pools. Ray pods select nodes by the label `dedicated`, so each named pool must have it. */
export function poolFaults(
  ray: RayInput,
  nodePools: Readonly<Record<string, NodePoolConfig>>,
  place: FaultContext,
): Fault[] {
  const dedicated = new Set(Object.entries(nodePools).map(([name, pool]) => nodeLabels(name, pool)["dedicated"]));
  return Object.entries(ray).flatMap(([name, { enabled, pool = DEFAULT_POOL, head, workerGroups }]) => {
    const base = ["ray", name];
    const pods: [Path, string | undefined][] = [
      [[...base, "pool"], pool],
      [[...base, "head", "pool"], head.pool],
    ];
    for (const [group, each] of Object.entries(workerGroups)) {
      pods.push([[...base, "workerGroups", group, "pool"], each.pool]);
    }
    return pods.flatMap(([path, wanted]) => {
      if (!enabled || wanted === undefined || wanted === "" || dedicated.has(wanted)) return [];
      const found = foundAt(place, path);
      const hint = `add one with taints: [{ key: dedicated, value: ${wanted}, effect: NoSchedule }]`;
      const expected = `a node pool of the cluster whose nodes are dedicated=${wanted}, or an empty text for any node`;
      return [mismatch(path, found === "nothing" ? `nothing, which means ${wanted}` : found, expected, hint)];
    });
  });
}

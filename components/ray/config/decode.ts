import { mismatch, type Fault, type Path } from "../../../foundation/schema/faults";
import { foundAt, type FaultContext } from "../../../foundation/schema/issues";
import { nodeLabels, type NodePoolConfig } from "../../cluster/nodePool/plan";
import type { DecodeContext } from "../../contract/decoding";
import { DEFAULT_POOL } from "../clusters";
import { rayFaults } from "./checks";
import { decodeJobs } from "./jobs";
import type { RayClusterConfig, RayInput } from "./schema";
import { authOf, versionWarnings } from "./versions";

/** Faults for unknown pools. Ray pods select nodes by the label `dedicated`, so each named pool must have it. */
function poolFaults(ray: RayInput, nodePools: Readonly<Record<string, NodePoolConfig>>, place: FaultContext): Fault[] {
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

/** Decodes the enabled clusters; undefined if there are none. Adds faults to the context. */
export function decodeRay(
  ray: RayInput | undefined,
  context: DecodeContext,
): Readonly<Record<string, RayClusterConfig>> | undefined {
  if (ray === undefined) return undefined;
  const { place, faults, warnings, wanted, disabled, offers } = context;
  const { config } = offers.cluster;
  const pools = config?.type === "eks" ? poolFaults(ray, config.eks.nodePools, place) : [];
  faults.push(...rayFaults(ray, place), ...pools);
  const defaultPool = config?.type === "eks" ? DEFAULT_POOL : "";
  const on = Object.entries(ray).flatMap(
    ([name, { enabled, pool = defaultPool, ...settings }]): [string, RayClusterConfig][] => {
      const jobs = decodeJobs(name, ray[name]!, context);
      return enabled ? [[name, { ...settings, pool, auth: authOf(name, ray[name]!), jobs }]] : [];
    },
  );
  warnings.push(...on.flatMap(([name]) => versionWarnings(name, ray[name]!)));
  on.sort(([a], [b]) => (a < b ? -1 : 1));
  if (on.length === 0) {
    const consequences = "its clusters are deleted with everything that they computed and store; their namespaces stay";
    disabled.push({ component: "ray", token: "Ray", consequences });
    return undefined;
  }
  if (on.some(([, { mode }]) => mode === "kuberay")) {
    wanted.push({ chart: "kuberay-operator", component: "ray", token: "Ray", optional: false });
  }
  return Object.fromEntries(on);
}

import type { WantedChart } from "../../charts/charts";
import type { NodePoolConfig } from "../../cluster/nodePool/plan";
import type { RayClusterConfig } from "../clusters";
import type { DisabledComponent } from "../../platform/config/platformConfig";
import type { Resolver } from "../../../foundation/schema/resolver";
import { rayFaults } from "./checks";
import { poolFaults } from "./pools";
import type { RayInput } from "./schema";

/** Related parts of the config. */
export interface DecodeContext {
  /** Receives the operator's chart if it is needed. */
  readonly wanted: WantedChart[];
  /** Receives the component if all clusters are disabled. */
  readonly disabled: DisabledComponent[];
  /** Node pools of an EKS cluster without faults. */
  readonly nodePools?: Readonly<Record<string, NodePoolConfig>>;
}

/** Decodes the enabled clusters; undefined if there are none. Adds faults to the resolver. */
export function decodeRay(
  ray: RayInput | undefined,
  { place, faults }: Resolver,
  { wanted, disabled, nodePools }: DecodeContext,
): Readonly<Record<string, RayClusterConfig>> | undefined {
  if (ray === undefined) return undefined;
  faults.push(...rayFaults(ray, place), ...(nodePools ? poolFaults(ray, nodePools, place) : []));
  const on = Object.entries(ray).flatMap(([name, { enabled, ...config }]): [string, RayClusterConfig][] =>
    enabled ? [[name, config]] : [],
  );
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

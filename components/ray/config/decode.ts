import type { DecodeContext } from "../../contract/decoding";
import { DEFAULT_POOL, type RayClusterConfig } from "../clusters";
import { rayFaults } from "./checks";
import { poolFaults } from "./pools";
import type { RayInput } from "./schema";

/** Decodes the enabled clusters; undefined if there are none. Adds faults to the context. */
export function decodeRay(
  ray: RayInput | undefined,
  { place, faults, wanted, disabled, offers }: DecodeContext,
): Readonly<Record<string, RayClusterConfig>> | undefined {
  if (ray === undefined) return undefined;
  const { config } = offers.cluster;
  const pools = config?.type === "eks" ? poolFaults(ray, config.eks.nodePools, place) : [];
  faults.push(...rayFaults(ray, place), ...pools);
  const defaultPool = config?.type === "eks" ? DEFAULT_POOL : "";
  const on = Object.entries(ray).flatMap(
    ([name, { enabled, pool = defaultPool, ...settings }]): [string, RayClusterConfig][] =>
      enabled ? [[name, { ...settings, pool }]] : [],
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

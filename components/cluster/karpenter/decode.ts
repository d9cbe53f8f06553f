import type { WantedChart } from "../../charts/charts";
import { mirrorValues } from "../../charts/images";
import type { ChartVersions } from "../../charts/table";
import type { EksConfig } from "../eks/eksConfig";
import type { KarpenterSettings } from "./settings";

/** Related parts of the config. */
export interface DecodeContext {
  readonly wanted: WantedChart[];
  readonly mirror?: string | undefined;
  readonly versions: ChartVersions;
}

/** Decodes Karpenter's settings. Undefined if the cluster does not use it. */
export function decodeKarpenter(
  eks: EksConfig | undefined,
  { wanted, mirror, versions }: DecodeContext,
): KarpenterSettings | undefined {
  if (eks?.karpenter === undefined) return undefined;
  wanted.push({ chart: "karpenter", component: "cluster.nodes", token: "Karpenter", optional: false });
  return { ...eks.karpenter, imageValues: mirrorValues("karpenter", mirror, versions) };
}

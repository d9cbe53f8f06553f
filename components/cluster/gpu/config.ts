import type * as z from "zod";
import { mismatch } from "../../../foundation/schema/faults";
import { flag, strict } from "../../../foundation/schema/fields";
import type { Resolver } from "../../../foundation/schema/resolver";
import type { WantedChart } from "../../charts/charts";
import { helmValues, readySeconds } from "../../charts/config/helm";
import { mirrorValues } from "../../charts/images";
import type { ChartVersions } from "../../charts/table";
import type { DisabledComponent } from "../../platform/config/platformConfig";
import type { EksConfig } from "../eks/eksConfig";
import { poolsWithout } from "./plan";
import type { GpuPluginSettings } from "./settings";

const COMPONENT = { component: "gpuDevicePlugin", token: "GpuDevicePlugin" } as const;

export const gpuPluginSchema = strict("an object", {
  enabled: flag().default(true).describe("`false` removes it. Set it also if the cluster already has one."),
  optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe(
  "NVIDIA's device plugin, which offers the GPUs of Amazon Linux nodes to pods. Bottlerocket images include it.",
);

export interface DecodeContext {
  /** Undefined if the platform does not create the cluster, or its config has faults. */
  readonly eks: EksConfig | undefined;
  /** Whether `cluster` is set at all. */
  readonly isGiven: boolean;
  readonly wanted: WantedChart[];
  readonly disabled: DisabledComponent[];
  readonly mirror?: string | undefined;
  readonly versions: ChartVersions;
}

/** Decodes the plugin's settings. Undefined if it is not configured, is disabled or has faults. */
export function decodeGpuPlugin(
  input: z.output<typeof gpuPluginSchema> | undefined,
  { faults, warnings }: Resolver,
  { eks, isGiven, wanted, disabled, mirror, versions }: DecodeContext,
): GpuPluginSettings | undefined {
  const pools = eks && (eks.nodes === "auto" ? [] : poolsWithout(eks.nodePools));
  if (input === undefined) {
    if (pools && pools.length > 0) {
      warnings.push(
        `stackyard:gpuDevicePlugin: found nothing, and the nodes of ${pools.join(", ")} offer no GPUs without it; set enabled: true, or ` +
          `enabled: false where it is installed in another way`,
      );
    }
    return undefined;
  }
  const { enabled, optional, ...rest } = input;
  if (!enabled) {
    const consequences = "pods that request GPUs stay pending; running pods continue";
    disabled.push({ ...COMPONENT, consequences });
    return undefined;
  }
  if (eks?.nodes === "auto") {
    faults.push(
      mismatch([COMPONENT.component], "settings", "nothing, because EKS Auto Mode has the plugin in its image"),
    );
    return undefined;
  }
  if (!isGiven) faults.push(mismatch(["cluster"], "nothing", "a cluster, because gpuDevicePlugin runs on its nodes"));
  if (pools?.length === 0) {
    const expected = "nothing, because no node pool has GPUs and Amazon Linux";
    faults.push(mismatch([COMPONENT.component], "settings", expected));
    return undefined;
  }
  wanted.push({ ...COMPONENT, chart: "nvidia-device-plugin", optional });
  return { ...rest, ...(pools && { pools }), imageValues: mirrorValues("nvidia-device-plugin", mirror, versions) };
}

import type * as z from "zod";
import { mismatch } from "../../foundation/schema/faults";
import { flag, strict } from "../../foundation/schema/fields";
import { helmValues, readySeconds } from "../charts/config/helm";
import { chartImages, mirrorValues } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import type { DecodeContext } from "../contract/decoding";
import { feature } from "../feature";
import { GPU_PLUGIN, poolsWithout, type GpuPluginSettings } from "./plan";

const KEY = "gpuDevicePlugin";
const CHART = "nvidia-device-plugin";

const schema = strict("an object", {
  enabled: flag().default(true).describe("`false` removes it. Set it also if the cluster already has one."),
  optional: flag().default(false).describe("`true`: skip it if its chart can't be fetched."),
  timeoutSeconds: readySeconds("it", 300),
  values: helmValues(),
}).describe(
  "NVIDIA's device plugin, which offers the GPUs of Amazon Linux nodes to pods. Bottlerocket images include it.",
);

export interface GpuPart {
  /** Not set if not configured or disabled. */
  readonly gpuDevicePlugin?: GpuPluginSettings;
}

/** NVIDIA's device plugin. */
export const gpuDevicePlugin = feature({
  name: KEY,
  keys: { gpuDevicePlugin: schema.optional() },
  component: {
    name: "GpuDevicePlugin",
    description: "NVIDIA's device plugin, which offers the GPUs of nodes to pods.",
    places: [{ at: [KEY], omit: ["enabled", "optional"] }],
    outputs: {},
  },

  reference: [{ title: "GPU device plugin", intro: "[More about GPUs](ingress.md#gpus).", at: [KEY] }],
  decode(read, context): GpuPart {
    const settings = decode(read(KEY), context);
    return settings ? { gpuDevicePlugin: settings } : {};
  },
  images: ({ gpuDevicePlugin: settings, images, charts }) =>
    settings ? chartImages(KEY, CHART, { images, charts }) : [],
  releases: ({ gpuDevicePlugin: settings }) =>
    oneRelease(settings, { path: KEY, account: GPU_PLUGIN, role: (name) => `${name}-role` }),

  async create({ gpuDevicePlugin: settings }, { charts, provided: { cluster }, named, parent }) {
    if (!cluster || !settings) return undefined;
    const { GpuDevicePlugin } = await import("./gpuDevicePlugin.js");
    return { stateful: [new GpuDevicePlugin(named("gpu-device-plugin"), { cluster, charts, settings }, { parent })] };
  },
});

/** Returns undefined if it is not configured, is disabled or has faults. */
function decode(input: z.output<typeof schema> | undefined, context: DecodeContext): GpuPluginSettings | undefined {
  const { offers, faults, warnings, wanted, disabled, mirror, versions } = context;
  const { config } = offers.cluster;
  const eks = config?.type === "eks" ? config.eks : undefined;
  const pools = eks && (eks.nodes === "auto" ? [] : poolsWithout(eks.nodePools));
  if (input === undefined) {
    if (pools && pools.length > 0) {
      warnings.push(
        `stackyard:${KEY}: found nothing, and the nodes of ${pools.join(", ")} offer no GPUs without it; set enabled: true, or ` +
          `enabled: false where it is installed in another way`,
      );
    }
    return undefined;
  }
  const { enabled, optional, ...rest } = input;
  const component = { component: KEY, token: "GpuDevicePlugin" } as const;
  if (!enabled) {
    disabled.push({ ...component, consequences: "pods that request GPUs stay pending; running pods continue" });
    return undefined;
  }
  if (eks?.nodes === "auto") {
    faults.push(mismatch([KEY], "settings", "nothing, because EKS Auto Mode has the plugin in its image"));
    return undefined;
  }
  if (!offers.cluster.isGiven) {
    faults.push(mismatch(["cluster"], "nothing", `a cluster, because ${KEY} runs on its nodes`));
  }
  if (pools?.length === 0) {
    faults.push(mismatch([KEY], "settings", "nothing, because no node pool has GPUs and Amazon Linux"));
    return undefined;
  }
  wanted.push({ ...component, chart: CHART, optional });
  return { ...rest, ...(pools && { pools }), imageValues: mirrorValues(CHART, mirror, versions) };
}

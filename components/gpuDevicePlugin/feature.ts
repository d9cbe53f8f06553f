import { devicePlugin } from "../devicePlugins/devicePluginFeature";
import { GPU_PLUGIN, gpuPluginValues, poolsWithout } from "./plan";

const KEY = "gpuDevicePlugin";

/** NVIDIA's device plugin. */
export const gpuDevicePlugin = devicePlugin({
  key: KEY,
  chart: "nvidia-device-plugin",
  account: GPU_PLUGIN,
  token: "GpuDevicePlugin",
  name: "gpu-device-plugin",
  component: {
    name: "GpuDevicePlugin",
    description: "NVIDIA's device plugin, which offers the GPUs of nodes to pods.",
    places: [{ at: [KEY], omit: ["enabled", "optional"] }],
    outputs: {},
  },
  title: "GPU device plugin",
  intro: "[More about GPUs](ingress.md#gpus).",
  description:
    "NVIDIA's device plugin, which offers the GPUs of Amazon Linux nodes to pods. Bottlerocket images include it.",
  devices: "GPUs",
  where: "GPUs and Amazon Linux",
  pools: ({ nodePools }) => poolsWithout(nodePools),
  values: gpuPluginValues,
});

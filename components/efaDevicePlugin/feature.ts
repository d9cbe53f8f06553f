import { devicePlugin } from "../devicePlugins/devicePluginFeature";
import { EFA_PLUGIN, efaPluginValues, efaPools } from "./plan";

/** The device plugin of the Elastic Fabric Adapter. */
export const efaDevicePlugin = devicePlugin({
  key: "efaDevicePlugin",
  chart: "aws-efa-k8s-device-plugin",
  account: EFA_PLUGIN,
  token: "EfaDevicePlugin",
  name: "efa-device-plugin",
  title: "EFA device plugin",
  intro: "[More about EFA](ingress.md#neuron-and-efa).",
  description: "The device plugin of the Elastic Fabric Adapter, which offers the adapters of nodes to pods.",
  devices: "adapters",
  where: "efa: true",
  pools: efaPools,
  values: efaPluginValues,
});

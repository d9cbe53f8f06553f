import { devicePlugin } from "../devicePlugins/devicePluginFeature";
import { NEURON_PLUGIN, neuronPluginValues, neuronPools } from "./plan";

/** The device plugin of AWS Neuron. */
export const neuronDevicePlugin = devicePlugin({
  key: "neuronDevicePlugin",
  chart: "neuron-helm-chart",
  account: NEURON_PLUGIN,
  token: "NeuronDevicePlugin",
  name: "neuron-device-plugin",
  title: "Neuron device plugin",
  intro: "[More about Inferentia and Trainium](ingress.md#neuron-and-efa).",
  description: "The device plugin of AWS Neuron, which offers the chips of Inferentia and Trainium nodes to pods.",
  devices: "Neuron devices",
  where: "Inferentia or Trainium",
  pools: ({ nodePools }) => neuronPools(nodePools),
  values: neuronPluginValues,
});

import { KUBERNETES, KUBERNETES_VARIABLES, type Tool } from "./table";

/** A node for pods that run as processes: the real kubelet and our container runtime. `make up` does not need it. */
export const yardNode: Tool = {
  name: "yard-node",
  title: "Node for pods that run as processes",
  version: KUBERNETES,
  programs: ["yard-node"],
  present: {},
  archives: () => [],
  builds: [{ module: "node", package: ".", output: "yard-node", variables: KUBERNETES_VARIABLES }],
  buildMinutes: 3,
};

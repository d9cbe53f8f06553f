import { CNI_POLICY } from "../cluster/serviceAccountRole/addonRoles";

/** Managed policies of the role of nodes. */
export const NODE_POLICIES = [
  "AmazonEKSWorkerNodePolicy",
  CNI_POLICY,
  "AmazonEC2ContainerRegistryPullOnly",
  // Permits shells on nodes through Systems Manager, without keys and open ports.
  "AmazonSSMManagedInstanceCore",
];

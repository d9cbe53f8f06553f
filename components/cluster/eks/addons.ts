/** The managed add-ons of a cluster, and in which order they come. Pure. */

import { IN_AUTO_MODE } from "../autoMode/autoMode";
import { mergeValues, type Values } from "../../charts/merge";
import type { EksConfig } from "./eksConfig";
import { canonicalJson } from "../../../foundation/json/canonicalJson";

export interface PlannedAddon {
  readonly name: string;
  /** Before the nodes: pods can't start, or take roles, without it. After: it runs on nodes and waits for them. */
  readonly when: "beforeNodes" | "afterNodes";
  /** Configuration values; see `aws eks describe-addon-configuration`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export const EBS_DRIVER = "aws-ebs-csi-driver";

export const ADDONS: readonly PlannedAddon[] = [
  {
    name: "vpc-cni",
    when: "beforeNodes",
    values: {
      // The schema of the add-on requires strings.
      enableNetworkPolicy: "true",
      // Addresses by the sixteen: as many pods as a node can run, not as its network cards have addresses.
      env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" },
    },
  },
  { name: "kube-proxy", when: "beforeNodes" },
  { name: "eks-pod-identity-agent", when: "beforeNodes" },
  { name: "coredns", when: "afterNodes" },
  { name: EBS_DRIVER, when: "afterNodes" },
  { name: "metrics-server", when: "afterNodes" },
  // Sees what is wrong with a node, which EKS then repairs: disk, network, kernel, GPUs.
  { name: "eks-node-monitoring-agent", when: "afterNodes" },
];

/** The configuration of an add-on as text: ours, the user's laid over it; undefined if unknown anything. */
export function addonValues({ values }: PlannedAddon, users: Values | undefined): string | undefined {
  return values || users ? canonicalJson(mergeValues(values ?? {}, users ?? {})) : undefined;
}

/** Those of a cluster, the user's own among them. */
export const plannedAddons = ({ moreAddons, nodes }: Pick<EksConfig, "moreAddons" | "nodes">): PlannedAddon[] => [
  ...ADDONS.filter(({ name }) => nodes !== "auto" || !IN_AUTO_MODE.includes(name)),
  ...Object.keys(moreAddons).map((name): PlannedAddon => ({ name, when: "afterNodes" })),
];

export const ADDON_NAMES = ADDONS.map(({ name }) => name);

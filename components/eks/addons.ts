/** The managed add-ons of a cluster and their order. Pure. */

import { IN_AUTO_MODE } from "./autoMode/autoMode";
import { mergeValues, type Values } from "../../foundation/json/merge";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { EBS_DRIVER } from "../cluster/serviceAccountRole/addonRoles";
import { canonicalJson } from "../../foundation/json/canonicalJson";

export interface PlannedAddon {
  readonly name: string;
  /** `beforeNodes`: pods need it to start or to assume roles. `afterNodes`: it needs nodes to run. */
  readonly when: "beforeNodes" | "afterNodes";
  /** Configuration values; see `aws eks describe-addon-configuration`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export const ADDONS: readonly PlannedAddon[] = [
  {
    name: "vpc-cni",
    when: "beforeNodes",
    values: {
      // The schema of the add-on requires strings.
      enableNetworkPolicy: "true",
      // Assigns addresses in blocks of 16, so that the number of pods per node is not limited by its network
      // interfaces.
      env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" },
    },
  },
  { name: "kube-proxy", when: "beforeNodes" },
  { name: "eks-pod-identity-agent", when: "beforeNodes" },
  { name: "coredns", when: "afterNodes" },
  { name: EBS_DRIVER, when: "afterNodes" },
  { name: "metrics-server", when: "afterNodes" },
  // Detects node problems with disk, network, kernel or GPUs, which EKS then repairs.
  { name: "eks-node-monitoring-agent", when: "afterNodes" },
];

/** The configuration of an add-on (JSON): the user's merged over ours; undefined if there is neither. */
export function addonValues({ values }: PlannedAddon, users: Values | undefined): string | undefined {
  return values || users ? canonicalJson(mergeValues(values ?? {}, users ?? {})) : undefined;
}

/** All add-ons of a cluster, including those that the config adds. */
export const plannedAddons = ({ moreAddons, nodes }: Pick<EksConfig, "moreAddons" | "nodes">): PlannedAddon[] => [
  ...ADDONS.filter(({ name }) => nodes !== "auto" || !IN_AUTO_MODE.includes(name)),
  ...Object.keys(moreAddons).map((name): PlannedAddon => ({ name, when: "afterNodes" })),
];

export const ADDON_NAMES = ADDONS.map(({ name }) => name);

/** The managed add-ons of a cluster and their order. Pure. */

import { partition } from "../../foundation/iam/partitions";
import { IN_AUTO_MODE } from "./autoMode/autoMode";
import { mergeValues, type Values } from "../../foundation/json/merge";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { ADOT, EBS_DRIVER } from "../cluster/serviceAccountRole/addonRoles";
import { canonicalJson } from "../../foundation/json/canonicalJson";

export interface PlannedAddon {
  readonly name: string;
  /** `beforeNodes`: pods need it to start or to assume roles. `afterNodes`: it needs nodes to run. */
  readonly when: "beforeNodes" | "afterNodes";
  /** Configuration values; see `aws eks describe-addon-configuration`. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Another add-on that it needs, if the cluster has it. */
  readonly after?: string;
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

/** Issues the certificates of webhooks. */
export const CERT_MANAGER = "cert-manager";

/** The collector of metrics, which sends them to a workspace of Prometheus. */
const collector = (region: string, workspaceId: string): Values => ({
  collector: {
    prometheusMetrics: {
      pipelines: { metrics: { amp: { enabled: true } } },
      exporters: {
        prometheusremotewrite: {
          endpoint: `https://aps-workspaces.${region}.${partition(region).domain}/workspaces/${workspaceId}/api/v1/remote_write`,
        },
      },
    },
  },
});

/** All add-ons of a cluster, including those that the config adds. */
export const plannedAddons = ({
  moreAddons,
  nodes,
  region,
}: Pick<EksConfig, "moreAddons" | "nodes" | "region">): PlannedAddon[] => [
  ...ADDONS.filter(({ name }) => nodes !== "auto" || !IN_AUTO_MODE.includes(name)),
  ...Object.entries(moreAddons).map(([name, { workspaceId }]): PlannedAddon => {
    const addon = { name, when: "afterNodes" } as const;
    if (name !== ADOT) return addon;
    const values = workspaceId === undefined ? undefined : collector(region, workspaceId);
    return { ...addon, after: CERT_MANAGER, ...(values && { values }) };
  }),
];

export const ADDON_NAMES = ADDONS.map(({ name }) => name);

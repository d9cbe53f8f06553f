import { afterIngress } from "../contract/site";
import { feature } from "../feature";
import { CONNECTION_KEYS } from "./schema/connectors";
import { decodeTeraslice } from "./config/decode";
import { terasliceClustersSchema, terasliceSchema } from "./config/schema";
import type { TerasliceMastersConfig } from "./cluster/masters";
import type { TerasliceConfig } from "./job/settings";
import { imagesOf, onMirrorAll, placedPods } from "./pods";
import { INGRESS, ROLES, WORKLOAD, type ClusterNeed } from "../contract/needs";
import type { TerasliceSettings } from "./settings";

/** All masters, each with its name; the one at `teraslice` has none. */
const mastersOf = ({
  teraslice: single,
  terasliceClusters = {},
}: Partial<TerasliceMastersConfig>): [string, TerasliceConfig][] => [
  ...(single ? [["", single] as [string, TerasliceConfig]] : []),
  ...Object.entries(terasliceClusters),
];

const MONITORING = "monitoring.coreos.com/v1";

/** What the objects of a master need of the cluster. Pure. */
function needsOf(path: string, settings: TerasliceSettings): ClusterNeed[] {
  const { assetsClaim, ingress, httpRoute, serviceMonitor, podMonitor, prometheusRule } = settings;
  const apis = [
    ...(httpRoute ? [["gateway.networking.k8s.io/v1", "HTTPRoute"] as const] : []),
    ...(serviceMonitor ? [[MONITORING, "ServiceMonitor"] as const] : []),
    ...(podMonitor ? [[MONITORING, "PodMonitor"] as const] : []),
    ...(prometheusRule ? [[MONITORING, "PrometheusRule"] as const] : []),
  ];
  const resources = [...WORKLOAD, ...ROLES, ...(ingress ? [INGRESS] : [])];
  return [
    { path, type: "objects", namespace: settings.teraslice.kubernetes_namespace, resources },
    ...apis.map(([apiVersion, kind]) => ({ path, type: "api", apiVersion, kind }) as const),
    ...(assetsClaim
      ? [{ path: `${path}.assetsClaim`, type: "storageClass", name: assetsClaim.storageClass } as const]
      : []),
    ...(ingress ? [{ path: `${path}.ingress`, type: "ingressClass", name: ingress.className } as const] : []),
  ];
}

/** Teraslice masters with their jobs. */
export const teraslice = feature({
  name: "teraslice",
  keys: { teraslice: terasliceSchema.optional(), terasliceClusters: terasliceClustersSchema.optional() },
  reference: [
    {
      title: "Teraslice",
      intro: "[More about Teraslice](teraslice.md).",
      at: ["teraslice"],
      omit: ["settings", "terafoundation", "jobs"],
    },
    { title: "Jobs of Teraslice", isNested: true, at: ["teraslice", "jobs", "<name>"] },
    { title: "Settings of Teraslice", isNested: true, at: ["teraslice", "settings"] },
    { title: "Terafoundation", isNested: true, at: ["teraslice", "terafoundation"], omit: ["connectors"] },
    ...Object.keys(CONNECTION_KEYS).map((type) => ({
      title: `Connections of type \`${type}\``,
      isNested: true,
      at: ["teraslice", "terafoundation", "connectors", type, "<name>"],
    })),
    {
      title: "More clusters",
      isNested: true,
      intro: "The key `terasliceClusters` has clusters by name, each with the keys of `teraslice`.",
      at: [],
    },
  ],
  component: {
    name: "TerasliceCluster",
    description: "A Teraslice master on Kubernetes with its jobs.",
    places: [{ at: ["terasliceClusters", "<name>"], omit: ["enabled"] }],
    outputs: {
      endpoint: {
        at: ["terasliceClusters", "<name>"],
        type: "object",
        description: "How to reach it: name, namespace, service, url, the command that forwards its port.",
      },
    },
  },
  resources: ["terasliceJob"],
  outputs: [
    {
      name: "teraslice",
      secret: false,
      sometimes: true,
      description:
        "The Teraslice cluster: name, namespace, service, url, the command that forwards its port, and `podSpecOverride`, which jobs need if connectors have secrets. Absent without Teraslice.",
    },
    {
      name: "terasliceClusters",
      secret: false,
      sometimes: true,
      description: "Additional Teraslice clusters by name, each as `teraslice`. Absent if there are none.",
    },
  ],

  decode: (read, context) =>
    decodeTeraslice({ teraslice: read("teraslice"), terasliceClusters: read("terasliceClusters") }, context),
  mirrored: ({ teraslice: single, terasliceClusters, images }) => ({
    ...(single && { teraslice: onMirrorAll(single, images) }),
    terasliceClusters: Object.fromEntries(
      Object.entries(terasliceClusters).map(([name, one]) => [name, onMirrorAll(one, images)]),
    ),
  }),
  images: (config) => mastersOf(config).flatMap(([name, one]) => imagesOf(name, one)),
  namespaces: (config) =>
    mastersOf(config).map(([name, { createNamespace, teraslice: settings, protection }]) => ({
      base: name === "" ? ["teraslice"] : ["terasliceClusters", name],
      createNamespace,
      namespace: settings.kubernetes_namespace,
      config: protection,
    })),
  needs: (config) =>
    mastersOf(config).flatMap(([name, one]) => needsOf(name === "" ? "teraslice" : `terasliceClusters.${name}`, one)),
  pods: (config) => mastersOf(config).flatMap(([, one]) => placedPods(one)),

  async create(config, site) {
    if (mastersOf(config).length === 0) return undefined;
    const { terasliceMasters } = await import("./cluster/masters.js");
    const { clusters, outputs } = terasliceMasters(config, site.provided.cluster, afterIngress(site), site.named);
    return { stateful: clusters, outputs };
  },
});

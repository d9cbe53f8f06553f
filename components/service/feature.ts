import { mirrored } from "../charts/images";
import { INGRESS, ROLES, WORKLOAD } from "../contract/needs";
import { afterIngress } from "../contract/site";
import { feature } from "../feature";
import { decodeService } from "./config/decode";
import { SERVICE, serviceSchema, type ServiceSettings } from "./config/schema";

export interface ServicePart {
  /** The provisioning service; not set if not configured or disabled. */
  readonly service?: ServiceSettings;
}

/** The provisioning service. */
export const service = feature({
  name: "service",
  keys: { service: serviceSchema.optional() },
  component: {
    name: "ProvisioningService",
    description: "The provisioning service, for the platform that the program's stack is.",
    places: [{ at: ["service"], omit: ["enabled"] }],
    outputs: {
      namespace: { at: ["service", "namespace"], description: "Its namespace." },
      url: {
        at: ["service", "url"],
        description: "URL of its status page; the API is at `/graphql`. Without an Ingress, only pods reach it.",
      },
      forward: { at: ["service", "forward"], description: "Command that forwards a local port to it." },
    },
  },
  ownCharts: ["service"],
  reference: [
    {
      title: "Provisioning service",
      intro: "[More about the service on the platform](service-deployment.md).",
      at: ["service"],
    },
  ],
  outputs: [
    {
      name: "service",
      secret: false,
      sometimes: true,
      description:
        "The provisioning service: namespace, url, and the command that forwards its port. Absent without it.",
    },
  ],

  decode(read, context): ServicePart {
    const settings = decodeService(read("service"), context);
    return settings ? { service: settings } : {};
  },
  mirrored: ({ service: settings, images }) => (settings ? { service: mirrored(settings, images) } : {}),
  images: ({ service: settings }) =>
    settings ? [{ component: "service", role: "service", image: settings.image }] : [],
  namespaces: ({ service: settings }) =>
    settings
      ? [
          {
            base: ["service"],
            createNamespace: settings.createNamespace,
            namespace: settings.namespace,
            config: settings.protection,
          },
        ]
      : [],
  needs({ service: settings }) {
    if (settings === undefined) return [];
    const { namespace, autoscaling, ingress, serviceMonitor } = settings;
    const resources = [...WORKLOAD, ...ROLES, "secrets", "jobs.batch", ...(ingress ? [INGRESS] : [])];
    const api = (key: string, apiVersion: string, kind: string) =>
      ({ path: `service.${key}`, type: "api", apiVersion, kind }) as const;
    return [
      { path: "service", type: "objects", namespace, resources },
      ...(ingress ? [{ path: "service.ingress", type: "ingressClass", name: ingress.className } as const] : []),
      ...(autoscaling ? [api("autoscaling", "metrics.k8s.io/v1beta1", "PodMetrics")] : []),
      ...(serviceMonitor.enabled ? [api("serviceMonitor", "monitoring.coreos.com/v1", "ServiceMonitor")] : []),
    ];
  },
  balancers: ({ service: settings }) =>
    settings ? [{ type: "set", namespace: settings.namespace, name: SERVICE }] : [],

  async create({ service: settings }, site) {
    const { cluster } = site.provided;
    if (!cluster || !settings) return undefined;
    const { ProvisioningService } = await import("./provisioningService.js");
    const created = new ProvisioningService(site.named("service"), { cluster, settings }, afterIngress(site));
    return { guarded: [created], outputs: { service: created.endpoint } };
  },
});

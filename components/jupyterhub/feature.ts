import { chartImages, imageValues, mirrored, placedValues } from "../charts/images";
import { ROLES } from "../contract/needs";
import { afterIngress } from "../contract/site";
import { feature } from "../feature";
import { hubRelease } from "./clusterObjects";
import { decodeJupyterHub } from "./config/decode";
import { notebookPods } from "./notebookPods";
import { jupyterhubSchema, type JupyterHubSettings } from "./settings";

export interface JupyterHubPart {
  /** Not set if not configured, disabled or skipped. */
  readonly jupyterhub?: JupyterHubSettings;
}

const KEY = "jupyterhub";

/** JupyterHub. */
export const jupyterhub = feature({
  name: KEY,
  keys: { jupyterhub: jupyterhubSchema.optional() },
  component: {
    name: "JupyterHub",
    description: "JupyterHub, by the upstream chart.",
    // There are no Ray clusters, roles and node pools beside it.
    places: [{ at: [KEY], omit: ["enabled", "optional", "ray", "rayCluster", "dataAccess", "nodePool"] }],
    outputs: {
      url: { at: [KEY], description: "Its URL, or the command that forwards a port." },
      namespace: { at: ["jupyterhubNamespace"], description: "Its namespace." },
      loadBalancer: {
        at: ["jupyterhubLoadBalancer"],
        sometimes: true,
        description: "Host name or address of its load balancer, for the DNS record of its host.",
      },
    },
  },
  ownCharts: ["jupyterhub"],
  reference: [
    { title: "JupyterHub", intro: "[More about JupyterHub](jupyterhub.md).", at: [KEY] },
    { at: [KEY, "auth"], variant: "Login (`auth`)" },
    { title: "Profiles", isNested: true, at: [KEY, "profiles", "<name>"] },
  ],
  outputs: [
    {
      name: "jupyterhub",
      secret: false,
      sometimes: true,
      description: "URL of JupyterHub, or the command that forwards a port. Absent without JupyterHub.",
    },
    {
      name: "jupyterhubNamespace",
      secret: false,
      sometimes: true,
      description: "Namespace of JupyterHub. Absent without JupyterHub.",
    },
    {
      name: "jupyterhubLoadBalancer",
      secret: false,
      sometimes: true,
      description:
        "Host name or address of JupyterHub's load balancer, for the DNS record of its host. Absent if it has none.",
    },
  ],

  decode(read, context): JupyterHubPart {
    const settings = decodeJupyterHub(read(KEY), context);
    return settings ? { jupyterhub: settings } : {};
  },
  mirrored({ jupyterhub: hub, images, charts: { versions } }) {
    if (hub === undefined) return {};
    const profiles = Object.entries(hub.profiles).map(([slug, one]) => [slug, mirrored(one, images)] as const);
    const placed = {
      profiles: Object.fromEntries(profiles),
      chartImages: imageValues(KEY, images, versions),
      values: placedValues(hub.values, images),
    };
    return { jupyterhub: { ...mirrored(hub, images), ...placed } };
  },
  images({ jupyterhub: hub, images, charts }) {
    if (hub === undefined) return [];
    return [
      ...chartImages(KEY, KEY, { images, charts }, hub.values),
      { component: KEY, role: "notebook", image: hub.image },
      ...Object.entries(hub.profiles).flatMap(([name, { image }]) =>
        image === undefined ? [] : [{ component: KEY, role: `profile ${name}`, image }],
      ),
    ];
  },
  pods: ({ jupyterhub: hub }) => (hub ? notebookPods(hub) : []),
  needs({ jupyterhub: hub }) {
    if (hub === undefined) return [];
    const { storage, namespace } = hub;
    const resources = [...ROLES, "persistentvolumeclaims", "networkpolicies.networking.k8s.io"];
    return [
      { path: KEY, type: "objects", namespace, resources },
      ...(storage.type === "dynamic"
        ? [{ path: `${KEY}.storage`, type: "storageClass", name: storage.storageClass } as const]
        : []),
    ];
  },
  releases: ({ jupyterhub: hub }) => (hub ? [hubRelease(hub)] : []),

  async look({ jupyterhub: hub }, state) {
    if (hub === undefined) return;
    const { checkRenamed } = await import("./renamed.js");
    checkRenamed(hub, await state);
  },
  async create({ jupyterhub: settings }, site) {
    const { charts, provided } = site;
    const { cluster, roleArns, ray = {} } = provided;
    if (!cluster || !settings) return undefined;
    const { JupyterHub } = await import("./jupyterHub.js");
    // By default, notebooks use the first cluster by name.
    const used = ray[settings.rayCluster ?? Object.keys(ray)[0] ?? ""];
    const hub = new JupyterHub(site.named(KEY), { cluster, charts, settings, roleArns, ray: used }, afterIngress(site));
    return {
      stateful: [hub],
      outputs: {
        jupyterhub: hub.url,
        jupyterhubNamespace: hub.namespace,
        ...(hub.loadBalancer && { jupyterhubLoadBalancer: hub.loadBalancer }),
      },
    };
  },
});

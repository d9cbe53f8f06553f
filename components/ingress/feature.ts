import { chartImages } from "../charts/images";
import { oneRelease } from "../charts/plannedRelease";
import { prefixedRole } from "../cluster/serviceAccountRole/plan";
import { feature } from "../feature";
import { decodeIngress, isAutoMode, NAMES, PARTS, servedClasses, type Part } from "./config/decode";
import { ingressSchema, type IngressSettings } from "./config/schema";
import { runningOwner } from "./nginx";

export interface IngressPart {
  /** Ingress controllers, DNS and certificates; not set if not configured. */
  readonly ingress?: IngressSettings;
}

/** Parts that need a role in AWS. */
const WITH_ROLE = ["awsLoadBalancerController", "externalDns", "certManager"] as const;

const enabledOf = (settings: IngressSettings | undefined): Part[] =>
  NAMES.filter((name) => settings?.[name] !== undefined);

/** Ingress controllers, DNS records and certificates on EKS. */
export const ingress = feature({
  name: "ingress",
  keys: { ingress: ingressSchema.optional() },
  component: {
    name: "Ingress",
    description: "Ingress controllers, DNS records and certificates of a cluster on EKS, each with its IAM role.",
    places: [{ at: ["ingress"] }],
    outputs: {},
  },

  reference: [{ title: "Ingress", intro: "[More about what serves Ingresses](ingress.md).", at: ["ingress"] }],
  decode(read, context): IngressPart {
    const settings = decodeIngress(read("ingress"), context);
    return settings ? { ingress: settings } : {};
  },
  offers: (_, { offers }, read) => ({ ingressClasses: servedClasses(read("ingress"), isAutoMode(offers)) }),
  images: ({ ingress: settings, images, charts }) =>
    enabledOf(settings).flatMap((name) =>
      chartImages(`ingress.${name}`, PARTS[name].chart, { images, charts }, settings?.[name]?.values),
    ),
  releases: ({ ingress: settings }) =>
    enabledOf(settings).flatMap((name) => oneRelease(settings?.[name], { path: `ingress.${name}`, ...PARTS[name] })),
  roles: ({ cluster, ingress: settings }) =>
    WITH_ROLE.flatMap((name) => {
      const part = settings?.[name];
      const needsRole =
        part !== undefined && part.roleArn === undefined && (!("zones" in part) || part.zones.length > 0);
      return needsRole ? prefixedRole(cluster?.eks, PARTS[name].account.release, `ingress.${name}.roleArn`) : [];
    }),

  async create({ cluster: config, ingress: settings }, { charts, state, provided: { cluster }, named, parent }) {
    const served = config?.eks;
    if (!cluster || !served || !settings || enabledOf(settings).length === 0) return undefined;
    const { Ingress } = await import("./ingress.js");
    const nginxOwner = settings.nginx && runningOwner(await state);
    const created = new Ingress(named("ingress"), { cluster, charts, settings, served, nginxOwner }, { parent });
    return { stateful: [created], provides: { ingress: created } };
  },
});

import { imageValues, placedValues } from "../../charts/images";
import type { ChartName } from "../../charts/table";
import { AUTO_INGRESS_CLASS } from "../../cluster/nodePool/pools";
import { takenFaults } from "../../cluster/serviceAccountRole/takenRole";
import type { DecodeContext, Offers } from "../../contract/decoding";
import type { Values } from "../../../foundation/json/merge";
import { mismatch, type Path } from "../../../foundation/schema/faults";
import { CERTIFICATES, DNS, LOAD_BALANCER, NGINX } from "../accounts";
import type { IngressSettings, IngressInput } from "./schema";

const KEY = "ingress";
const TOKEN = "Ingress";

/** The parts by key: chart, service account, name of its ClusterRole, and what removing one deletes. */
export const PARTS = {
  awsLoadBalancerController: {
    chart: "aws-load-balancer-controller",
    account: LOAD_BALANCER,
    role: (name: string) => `${name}-role`,
    consequences: "load balancers of Ingresses stay as they are now, and Ingresses that are deleted wait for it",
  },
  nginx: {
    chart: "ingress-nginx",
    account: NGINX,
    consequences: "its load balancer is deleted, and the hosts that it serves no longer respond",
  },
  externalDns: { chart: "external-dns", account: DNS, consequences: "records stay as they are now" },
  certManager: {
    chart: "cert-manager",
    account: CERTIFICATES,
    role: (name: string) => `${name}-controller-issuers`,
    consequences: "certificates stay, and expire without being renewed",
  },
} as const satisfies Record<
  string,
  { chart: ChartName; account: object; role?: (fullname: string) => string; consequences: string }
>;

export type Part = keyof typeof PARTS;
export const NAMES = Object.keys(PARTS) as Part[];

/** Decodes `ingress`. Undefined if it is not configured or has faults. */
export function decodeIngress(input: IngressInput | undefined, context: DecodeContext): IngressSettings | undefined {
  if (input === undefined) return undefined;
  const { faults, offers, wanted, disabled, images, versions } = context;
  const onEks = offers.cluster.config?.eks;
  const isAuto = isAutoMode(offers);
  const on = NAMES.filter((name) => input[name]?.enabled);
  for (const name of NAMES.filter((part) => input[part]?.enabled === false)) {
    const { consequences, account } = PARTS[name];
    const resource = RESOURCES[name];
    disabled.push({
      component: `${KEY}.${name}`,
      token: TOKEN,
      resource,
      consequences: `${consequences} (${account.release})`,
    });
  }
  if (on.length > 0 && onEks === undefined && !offers.cluster.isEks) {
    const expected = `name and region of the EKS cluster for ${on.join(", ")}`;
    faults.push(mismatch(["cluster", "eks"], "nothing", expected));
  }
  for (const name of isAuto ? on.filter((part) => part === "awsLoadBalancerController" || part === "nginx") : []) {
    const expected = `nothing, because EKS Auto Mode has load balancers of its own, and serves the class ${AUTO_INGRESS_CLASS}`;
    faults.push(mismatch([KEY, name], "settings", expected));
  }
  const { awsLoadBalancerController, nginx, externalDns, certManager } = input;
  for (const [index, name] of input.existing.entries()) {
    const owner = on.find((part) => classOf(input, part) === name);
    if (owner !== undefined)
      faults.push(mismatch([KEY, "existing", index], `"${name}"`, `a class that ${owner} does not make`));
  }
  if (awsLoadBalancerController?.enabled && nginx?.enabled && awsLoadBalancerController.className === nginx.className) {
    const path: Path = [KEY, "nginx", "className"];
    faults.push(mismatch(path, `"${nginx.className}"`, "a class that awsLoadBalancerController does not make"));
  }
  for (const name of on) faults.push(...takenFaults(PARTS[name].account, onEks, offers.roles));
  const served = servedClasses(input, isAuto) ?? [];
  const prover = certManager?.className ?? (served.length === 1 ? served[0] : undefined);
  if (certManager?.enabled && certManager.zones.length === 0) {
    const path: Path = [KEY, "certManager", "className"];
    const known = served.length === 0 ? "an IngressClass that is served; there is none" : `one of ${served.join(", ")}`;
    if (prover === undefined || !served.includes(prover)) {
      faults.push(
        mismatch(path, prover === undefined ? "nothing" : `"${prover}"`, `${known}, or hosted zones in zones`),
      );
    }
  }
  wanted.push(
    ...on.map((name) => ({ chart: PARTS[name].chart, component: `${KEY}.${name}`, token: TOKEN, optional: false })),
  );
  const ofChart = (name: Part, { values }: { readonly values: Values }) => ({
    values: placedValues(values, images),
    imageValues: imageValues(PARTS[name].chart, images, versions),
  });
  return {
    ...(awsLoadBalancerController?.enabled && {
      awsLoadBalancerController: {
        ...awsLoadBalancerController,
        ...ofChart("awsLoadBalancerController", awsLoadBalancerController),
      },
    }),
    ...(nginx?.enabled && { nginx: { ...nginx, ...ofChart("nginx", nginx) } }),
    ...(externalDns?.enabled && { externalDns: { ...externalDns, ...ofChart("externalDns", externalDns) } }),
    ...(certManager?.enabled && {
      certManager: { ...certManager, className: prover ?? "", ...ofChart("certManager", certManager) },
    }),
    existing: input.existing,
  };
}

/** A resource of each part, whose presence in the state means that the part is installed. */
const RESOURCES: Readonly<Record<Part, string>> = {
  awsLoadBalancerController: "ingress-alb-release",
  nginx: "ingress-nginx-release",
  externalDns: "ingress-dns-release",
  certManager: "ingress-certificates-release",
};

const classOf = (input: IngressInput, part: Part): string | undefined =>
  part === "awsLoadBalancerController" || part === "nginx" ? input[part]?.className : undefined;

/** IngressClasses that the configured parts serve. */
function classesOf(input: IngressInput): string[] {
  const own = NAMES.filter((name) => input[name]?.enabled).map((name) => classOf(input, name));
  return [...own, ...input.existing].filter((name): name is string => name !== undefined);
}

/** Whether EKS Auto Mode serves an IngressClass itself. */
export const isAutoMode = ({ cluster: { input } }: Pick<Offers, "cluster">): boolean =>
  input?.type === "eks" && input.nodes === "auto";

/** All served IngressClasses, including that of EKS Auto Mode; undefined if they are unknown. */
export function servedClasses(input: IngressInput | undefined, isAuto: boolean): string[] | undefined {
  if (!isAuto) return input && classesOf(input);
  return [...(input ? classesOf(input) : []), AUTO_INGRESS_CLASS];
}

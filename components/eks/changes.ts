import * as pulumi from "@pulumi/pulumi";
import type { StateResource } from "../resources/ownState";
import type { EksConfig } from "../cluster/onEks/eksConfig";
import { importsRole } from "../cluster/onEks/eksImports";
import { controlPlaneRole } from "../cluster/onEks/onEks";
import { asText } from "../../foundation/json/scalars";

/** Rejects changes that AWS does not support for an existing cluster, before anything is changed. */

type State = Readonly<Record<string, StateResource>>;

/** The stack's cluster according to its state. Unknown fields are not set. */
interface Running {
  readonly name?: string;
  readonly region?: string;
  readonly version?: string;
  readonly serviceCidr?: string;
  /** CIDR of the created VPC; undefined for an existing VPC. */
  readonly cidr?: string;
  /** Number of zones of the created VPC. */
  readonly zones?: number;
  /** ARN of the user's key; undefined if the platform created one. */
  readonly kmsKey?: string;
  /** Name of the control plane's role. */
  readonly role?: string;
  /** Whether the cluster uses EKS Auto Mode. */
  readonly auto?: boolean;
  readonly authenticationMode?: string;
  /** What made it. */
  readonly type?: EksConfig["type"];
}

type Wanted = Pick<
  EksConfig,
  "type" | "name" | "region" | "version" | "network" | "kmsKey" | "roles" | "nodes" | "imports"
> & {
  readonly access: Pick<EksConfig["access"], "authenticationMode">;
};

const CLUSTER = "aws:eks/cluster:Cluster";
const VPC = "aws:ec2/vpc:Vpc";
const SUBNET = "aws:ec2/subnet:Subnet";
const KEY = "aws:kms/key:Key";

const shown = (value: string | undefined): string => (value === undefined ? "nothing" : `"${value}"`);

/** Faults with their paths; empty if AWS supports the change. Pure. */
export function refusals(running: Running, wanted: Wanted): string[] {
  const { serviceCidr, make } = wanted.network;
  const fixed: [string, string | undefined, string | undefined][] = [
    ["type", running.type, wanted.type],
    ["name", running.name, wanted.name],
    ["region", running.region, wanted.region],
    ["network.serviceCidr", running.serviceCidr, serviceCidr],
    ["network.cidr", running.cidr, make?.cidr],
    ["kmsKey", running.kmsKey, wanted.kmsKey],
  ];
  const faults = fixed.flatMap(([key, before, now]) =>
    before === now || (before === undefined && !/^(network\.cidr|kmsKey)$/.test(key))
      ? []
      : [
          `stackyard:cluster.${key}: found ${shown(now)}, and the cluster was made with ${shown(before)}; ` +
            `expected ${shown(before)}: it can't be changed later. For another one, create a new stack next to this one and move to it`,
        ],
  );
  return [
    ...faults,
    ...zoneRefusals(running, make),
    ...prefixRefusals(running, wanted),
    ...nodesRefusals(running, wanted),
    ...modeRefusals(running, wanted),
    ...versionRefusals(running.version, wanted.version),
  ];
}

/**
 * Fault for another number of zones: EKS takes subnets only in the zones that a cluster was created with, and a node
 * group that has a subnet of a zone that leaves would be replaced. Source: the EKS user guide, "VPC and subnet
 * considerations".
 */
function zoneRefusals({ zones }: Running, make: Wanted["network"]["make"]): string[] {
  if (!zones || make === undefined || zones === make.zones) return [];
  return [
    `stackyard:cluster.network.zones: found ${make.zones}, and the cluster was created in ${zones} zones; expected ${zones}: ` +
      "EKS keeps the zones of a cluster. For others, create a new stack next to this one and move to it",
  ];
}

/** Fault for a changed role name: another role would replace the cluster and everything on it. */
function prefixRefusals({ name, role }: Running, wanted: Wanted): string[] {
  if (role === undefined || name !== wanted.name || role === controlPlaneRole(wanted)) return [];
  // An imported role keeps the name that it had.
  if (importsRole(wanted.imports, "controlPlane")) return [];
  const prefix = role.replace(/-control-plane$/, "");
  return [
    `stackyard:cluster.roles.prefix: found ${shown(wanted.roles.prefix)}, and the cluster runs with the role ${role}; ` +
      `expected ${prefix === role ? "the prefix that it was created with" : shown(prefix)}: another role would replace the cluster`,
  ];
}

/** Fault for switching Auto Mode: it has its own EBS driver, so existing volumes could no longer be attached. */
function nodesRefusals({ auto = false }: Running, { nodes }: Wanted): string[] {
  if (auto === (nodes === "auto")) return [];
  const expected = auto ? "auto" : "managed or karpenter";
  return [
    `stackyard:cluster.nodes: found "${nodes}", and the cluster ${auto ? "is one" : "is none"} of EKS Auto Mode; expected ${expected}: ` +
      `volumes can't change their driver. For the other one, create a new stack next to this one and move to it`,
  ];
}

/** Fault for a way back to the ConfigMap. Source: the EKS user guide, "Change authentication mode to use access entries". */
function modeRefusals({ authenticationMode }: Running, { access }: Wanted): string[] {
  if (authenticationMode !== "API" || access.authenticationMode === "API") return [];
  return [
    `stackyard:cluster.access.authenticationMode: found "${access.authenticationMode}", and the cluster uses API; expected API: EKS can't go back to the ConfigMap`,
  ];
}

/** The minor of a version: 35 of `1.35`. */
export const minorOf = (version: string): number => Number(version.split(".")[1]);

/** EKS changes a version by one minor; whether it rolls back now, it is asked. */
function versionRefusals(from: string | undefined, to: string): string[] {
  if (from === undefined) return [];
  const step = minorOf(to) - minorOf(from);
  if (Math.abs(step) <= 1) return [];
  const expected =
    step > 1
      ? `1.${minorOf(from) + 1} first: EKS upgrades one minor version at a time`
      : `${from} or more, or 1.${minorOf(from) - 1}: EKS rolls back one minor version`;
  return [`stackyard:cluster.version: found "${to}", and the cluster runs ${from}; expected ${expected}`];
}

/** The stack's cluster according to its resources; undefined if there is none yet. Pure. */
export function runningCluster(resources: readonly StateResource[]): Running | undefined {
  const one = (type: string) => resources.find((resource) => resource.type === type)?.outputs;
  const cluster = one(CLUSTER);
  if (!cluster) return undefined;
  const { encryptionConfig, kubernetesNetworkConfig } = cluster as {
    encryptionConfig?: { provider?: { keyArn?: unknown } };
    kubernetesNetworkConfig?: { serviceIpv4Cidr?: unknown };
  };
  const key = asText(encryptionConfig?.provider?.keyArn);
  const made = resources.some(({ type, outputs }) => type === KEY && outputs["arn"] === key);
  return {
    type: one("eks:index:Cluster") ? "pulumiEks" : "eks",
    name: asText(cluster["name"]),
    region: /^arn:[^:]*:eks:([^:]+):/.exec(asText(cluster["arn"]) ?? "")?.[1],
    version: asText(cluster["version"]),
    serviceCidr: asText(kubernetesNetworkConfig?.serviceIpv4Cidr),
    cidr: asText(one(VPC)?.["cidrBlock"]),
    zones: new Set(
      resources.flatMap(({ type, outputs }) => (type === SUBNET ? [asText(outputs["availabilityZone"])] : [])),
    ).size,
    kmsKey: made ? undefined : key,
    role: asText(cluster["roleArn"])?.split("/").at(-1),
    authenticationMode: asText(
      (cluster["accessConfig"] as { authenticationMode?: unknown } | undefined)?.authenticationMode,
    ),
    auto: (cluster["computeConfig"] as { enabled?: boolean } | undefined)?.enabled === true,
  };
}

/** Throws if the config requires a change that AWS does not support for the stack's cluster. */
export function refuseImpossibleChanges(state: State, wanted: Wanted): void {
  const running = runningCluster(Object.values(state));
  const faults = running ? refusals(running, wanted) : [];
  if (faults.length === 0) return;
  const heading = `The stack's config has ${faults.length} fault${faults.length === 1 ? "" : "s"}; nothing was changed.`;
  throw new pulumi.RunError([heading, ...faults.map((fault) => `  - ${fault}`)].join("\n"));
}

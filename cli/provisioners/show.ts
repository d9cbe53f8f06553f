import { capacityWarnings } from "../../provider/ledger/capacity";
import type { HostUsage, PoolUsage } from "../../provider/ledger/usage";
import type { Platform } from "../../components/runtime/platform/platform";
import type { Provisioner } from "../../components/runtime/types/registry";
import { provisionerOf } from "../../engine/runtime/list";
import { textAt } from "../../kubernetes/objects/objects";
import type { StackState } from "../../engine/pulumi/state/checkpoint";
import { count } from "../../foundation/text/numbers";
import { numbers, table } from "../terminal/table";

/** A provisioner with its usage, as `--json` prints it. Never contains a kubeconfig or a URL with a password. */
export interface Shown {
  readonly name: string;
  readonly type: Provisioner["type"];
  readonly isDefault: boolean;
  /** Environments that use it by default. */
  readonly environments: readonly string[];
  /** Hosts of a static provisioner. */
  readonly hosts?: readonly HostUsage[];
  /** Why a static provisioner is nearly full. */
  readonly warnings?: readonly string[];
  /** Cluster of a Kubernetes provisioner. */
  readonly cluster?: string;
  readonly namespace?: string;
  /** Ids of its runtimes. */
  readonly runtimes: readonly string[];
}

/** Whether this provisioner created the stack's resources, and not one with the same name on another platform. */
function isBy({ resources }: StackState, provisioner: Provisioner): boolean {
  return resources.some(({ type, inputs = {} }) =>
    "pool" in provisioner
      ? type === "stackyard:index:SlotAllocation" && inputs.pool === provisioner.pool
      : inputs.cluster === provisioner.cluster &&
        (inputs.namespace ?? textAt(inputs, "shoot", "metadata", "namespace")) === provisioner.namespace,
  );
}

/** Combines the outputs of the platform, the ledger and the runtime stacks. */
export function shownProvisioners(
  platform: Platform,
  pools: readonly PoolUsage[],
  stacks: readonly StackState[],
): Shown[] {
  return Object.entries(platform.provisioners).map(([name, provisioner]) => ({
    name,
    type: provisioner.type,
    isDefault: name === platform.defaultProvisioner,
    environments: Object.keys(platform.environments).filter((key) => platform.environments[key] === name),
    ...("pool" in provisioner
      ? usageOf(provisioner.pool, pools.find(({ pool }) => pool === provisioner.pool)?.hosts ?? [])
      : { cluster: provisioner.cluster, namespace: provisioner.namespace }),
    runtimes: stacks
      .filter((stack) => provisionerOf(stack) === name && isBy(stack, provisioner))
      .map((stack) => stack.name),
  }));
}

const usageOf = (pool: string, hosts: readonly HostUsage[]) => ({ hosts, warnings: capacityWarnings(pool, hosts) });

function remark({ isDefault, environments }: Shown): string {
  return [...(isDefault ? ["default"] : []), ...environments.map((name) => `default of ${name}`)].join(", ");
}

/**
 * One line per provisioner, followed by one line per host for static ones, and warnings about those that are nearly
 * full.
 */
export function showText(set: readonly Shown[]): string {
  const rows = set.flatMap((one) => {
    const { name, type, hosts, cluster, namespace, runtimes } = one;
    if (!hosts) return [[name, type, `${namespace} on ${cluster}`, "", "", String(runtimes.length), remark(one)]];
    const sum = (of: (host: HostUsage) => number) => String(hosts.reduce((total, host) => total + of(host), 0));
    const deployments = sum((host) => host.deployments.length);
    return [
      [
        name,
        type,
        count(hosts.length, "host"),
        sum((host) => host.used),
        sum((host) => host.free),
        deployments,
        remark(one),
      ],
      ...hosts.map((host) => [
        "",
        "",
        host.host,
        String(host.used),
        String(host.free),
        String(host.deployments.length),
        host.drain ? "drained" : "",
      ]),
    ];
  });
  const warnings = set.flatMap((one) => (one.warnings ?? []).map((warning) => `warning: ${warning}`));
  const titles = ["NAME", "TYPE", "WHERE", ...["SLOTS USED", "FREE", "RUNTIMES"].map(numbers), "REMARK"];
  return [table(titles, rows), ...warnings].join("\n");
}

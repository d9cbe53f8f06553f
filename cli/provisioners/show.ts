import { capacityWarnings } from "../../provider/ledger/capacity";
import type { HostUsage, PoolUsage } from "../../provider/ledger/usage";
import type { Platform, Provisioner } from "../../components/runtime/platform/platform";
import { provisionerOf } from "../../engine/runtime/list";
import type { StackState } from "../../engine/state/checkpoint";
import { count } from "../../foundation/text/numbers";
import { table } from "../terminal/table";

/** One provisioner with its usage; what `--json` prints. Never holds a kubeconfig or a URL with a password. */
export interface Shown {
  readonly name: string;
  readonly type: Provisioner["type"];
  readonly isDefault: boolean;
  /** Environments whose default it is. */
  readonly environments: readonly string[];
  /** Hosts of a static one. */
  readonly hosts?: readonly HostUsage[];
  /** Why a static one is about to be full. */
  readonly warnings?: readonly string[];
  /** Where a Kubernetes one puts its runtimes. */
  readonly cluster?: string;
  readonly namespace?: string;
  /** Ids of the runtimes on it. */
  readonly runtimes: readonly string[];
}

/** Whether what a stack has was made by this provisioner, and not by one of the same name in another platform. */
function isBy({ resources }: StackState, provisioner: Provisioner): boolean {
  return resources.some(({ type, inputs }) =>
    provisioner.type === "static"
      ? type === "stackyard:index:SlotAllocation" && inputs?.pool === provisioner.pool
      : type === "stackyard:index:ManifestSet" &&
        inputs?.cluster === provisioner.cluster &&
        inputs.namespace === provisioner.namespace,
  );
}

/** Collects what the platform says, what the ledger says and which runtimes there are. */
export function shown(platform: Platform, pools: readonly PoolUsage[], stacks: readonly StackState[]): Shown[] {
  return Object.entries(platform.provisioners).map(([name, provisioner]) => ({
    name,
    type: provisioner.type,
    isDefault: name === platform.defaultProvisioner,
    environments: Object.keys(platform.environments).filter((key) => platform.environments[key] === name),
    ...(provisioner.type === "static"
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

/** One line per provisioner, and below a static one a line per host; then what to know of those that are about to be full. */
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
  const text = table(
    [
      { title: "NAME" },
      { title: "TYPE" },
      { title: "WHERE" },
      { title: "SLOTS USED", align: "right" },
      { title: "FREE", align: "right" },
      { title: "RUNTIMES", align: "right" },
      { title: "REMARK" },
    ],
    rows,
  );
  return [text, ...warnings].join("\n");
}

import type { HostUsage, PoolUsage } from "../../provider/ledger/usage";
import type { Platform, Provisioner } from "../../components/runtime/platform";
import type { StackState } from "../state/checkpoint";
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
  /** Where a Kubernetes one puts its runtimes. */
  readonly cluster?: string;
  readonly namespace?: string;
  /** Ids of the runtimes on it. */
  readonly runtimes: readonly string[];
}

/** Ids of the runtimes of a platform by provisioner, from the runtimes' stacks. */
export function runtimesByProvisioner(stacks: readonly StackState[], platform: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { name, outputs, resources } of stacks) {
    const references = resources.filter(({ type }) => type === "pulumi:pulumi:StackReference");
    const isOurs = references.some(({ inputs }) => inputs?.name === platform);
    if (!isOurs || typeof outputs.provisioner !== "string") continue;
    found.set(outputs.provisioner, [...(found.get(outputs.provisioner) ?? []), name]);
  }
  return found;
}

/** Brings together what the platform says, what the ledger says and which runtimes there are. */
export function shown(
  platform: Platform,
  pools: readonly PoolUsage[],
  runtimes: ReadonlyMap<string, readonly string[]>,
): Shown[] {
  return Object.entries(platform.provisioners).map(([name, provisioner]) => ({
    name,
    type: provisioner.type,
    isDefault: name === platform.defaultProvisioner,
    environments: Object.keys(platform.environments).filter((key) => platform.environments[key] === name),
    ...(provisioner.type === "static"
      ? { hosts: pools.find(({ pool }) => pool === provisioner.pool)?.hosts ?? [] }
      : { cluster: provisioner.cluster, namespace: provisioner.namespace }),
    runtimes: runtimes.get(name) ?? [],
  }));
}

function remark({ isDefault, environments }: Shown): string {
  return [...(isDefault ? ["default"] : []), ...environments.map((name) => `default of ${name}`)].join(", ");
}

/** One line per provisioner, and below a static one a line per host. */
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
        `${hosts.length} hosts`,
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
  return table(
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
}

/** Decides when a pool is nearly full. Pure. */

/** Capacity of a host. */
export interface HostCapacity {
  readonly host: string;
  readonly slots: number;
  /** Slots used on it by all pools. */
  readonly used: number;
  /** A drained host gets no new allocations, so it counts as no capacity. */
  readonly drain: boolean;
}

/** Share of all slots together. */
const OVERALL = 0.8;
/** Share on each host: free slots are scattered, so a large deployment may not fit. */
const EVERYWHERE = 0.7;

/** Returns warnings before the pool is full; empty while there is room. */
export function capacityWarnings(pool: string, hosts: readonly HostCapacity[]): string[] {
  const open = hosts.filter(({ drain }) => !drain);
  const slots = sum(open.map((host) => host.slots));
  const used = sum(open.map((host) => host.used));
  if (used === 0) return [];
  const share = (host: HostCapacity): number => host.used / host.slots;
  const [emptiest] = open.toSorted((a, b) => share(a) - share(b));
  const warnings: string[] = [];
  if (used / slots >= OVERALL) {
    warnings.push(
      `pool ${pool}: ${used} of ${slots} slots are taken (${percent(used / slots)}); add slots or hosts to its provisioner`,
    );
  }
  if (emptiest && share(emptiest) >= EVERYWHERE) {
    const most = Math.max(...open.map((host) => host.slots - host.used));
    warnings.push(
      `pool ${pool}: every host is 70 % full or fuller (the emptiest, ${emptiest.host}, ${percent(share(emptiest))}); ` +
        `the largest deployment that still has room is one of ${most} ${most === 1 ? "slot" : "slots"}`,
    );
  }
  return warnings;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** Rounded down, so that 100 % always means full. */
const percent = (share: number): string => `${Math.floor(share * 100)} %`;

/** Decides when a provisioner is nearly full. Pure. */

/** Load of a host. Drained hosts don't count as capacity. */
export interface HostLoad {
  readonly slots: number;
  readonly used: number;
  readonly drain: boolean;
}

/** Threshold reached, in percent: 80 of all slots, or 70 on every host; 0 below both. */
export type CapacityLevel = 0 | 70 | 80;

export function levelOf(hosts: readonly HostLoad[]): CapacityLevel {
  const open = hosts.filter(({ drain, slots }) => !drain && slots > 0);
  const sum = (of: "slots" | "used"): number => open.reduce((total, host) => total + host[of], 0);
  if (open.length === 0) return 0;
  if (sum("used") / sum("slots") >= 0.8) return 80;
  return open.every(({ used, slots }) => used / slots >= 0.7) ? 70 : 0;
}

/** Describes the level without host names, so that all tenants may see it. */
export function levelText(level: CapacityLevel): string {
  switch (level) {
    case 80:
      return "80 % of its slots are taken, or more; add slots or hosts";
    case 70:
      return "every host is 70 % full or fuller; a large deployment may find no room";
    case 0:
      return "it has room";
  }
}

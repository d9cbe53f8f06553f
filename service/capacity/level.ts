/** When a provisioner is about to be full. Pure. */

/** A host as capacity is counted; one that is drained is no capacity. */
export interface HostLoad {
  readonly slots: number;
  readonly used: number;
  readonly drain: boolean;
}

/** Percent that have been reached: 80 of all slots together, or 70 on every host; 0 where there is room. */
export type CapacityLevel = 0 | 70 | 80;

export function levelOf(hosts: readonly HostLoad[]): CapacityLevel {
  const open = hosts.filter(({ drain, slots }) => !drain && slots > 0);
  const sum = (of: "slots" | "used"): number => open.reduce((total, host) => total + host[of], 0);
  if (open.length === 0) return 0;
  if (sum("used") / sum("slots") >= 0.8) return 80;
  return open.every(({ used, slots }) => used / slots >= 0.7) ? 70 : 0;
}

/** The same in words, for everybody: it names no host. */
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

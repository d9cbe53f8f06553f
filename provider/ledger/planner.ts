/** Which host a deployment gets. Pure: from what the ledger says to a decision, nothing is read or written here. */

/** A host of a pool as the ledger sees it now. */
export interface HostLoad {
  readonly host: string;
  /** Slots that it has. */
  readonly slots: number;
  /** Slots that are taken, by whatever pool. */
  readonly used: number;
  readonly weight: number;
  readonly drain: boolean;
}

/** What a deployment has in a pool. */
export interface Allocation {
  readonly host: string;
  readonly slots: number;
}

/** A resize in place, a move to the best of `hosts`, or the reason why neither is possible. */
export type ResizePlan =
  | { readonly kind: "stay" }
  | { readonly kind: "move"; readonly hosts: readonly string[] }
  | { readonly kind: "refused"; readonly reason: "drained" | "no room here" | "no room anywhere" };

export const freeSlots = (host: HostLoad): number => host.slots - host.used;

/** A host that can take what is wanted. */
export interface Candidate {
  readonly host: string;
  /**
   * The host is as good as the next one while no more than this is used on it. Others may take slots between our look
   * and our grasp; beyond this mark it is better to look again.
   */
  readonly mostUsed: number;
}

/**
 * The hosts that can take `wanted` slots, best first. Best is the one that is least full afterwards, measured as
 * `(used + wanted) / (slots × weight)`, so that large and heavy hosts fill in proportion. Between equals a hash of
 * deployment and host decides: the same question gets the same answer, and different deployments spread.
 * An exact fit is a fit; drained hosts take nothing.
 */
export function rankHosts(hosts: readonly HostLoad[], deployment: string, wanted: number): Candidate[] {
  const ranked = hosts
    .filter((host) => !host.drain && wanted <= freeSlots(host))
    .map((host) => ({ ...host, load: loadWith(host, host.used + wanted), tie: tieBreak(deployment, host.host) }))
    .sort((a, b) => a.load - b.load || a.tie - b.tie || compareText(a.host, b.host));
  return ranked.map((host, index) => ({
    host: host.host,
    mostUsed: mostUsed(host, wanted, ranked[index + 1]?.load ?? Infinity),
  }));
}

const loadWith = (host: HostLoad, used: number): number => used / (host.slots * host.weight);

function mostUsed(host: HostLoad, wanted: number, nextLoad: number): number {
  const room = host.slots - wanted;
  // The rounding of the division must not cost a slot.
  const even = Math.floor(nextLoad * host.slots * host.weight + 1e-6) - wanted;
  return Math.max(host.used, Math.min(room, even));
}

/** The best of {@link rankHosts}; undefined when none has room. */
export function chooseHost(hosts: readonly HostLoad[], deployment: string, wanted: number): string | undefined {
  return rankHosts(hosts, deployment, wanted)[0]?.host;
}

/**
 * How an allocation becomes `wanted` slots large. Staying comes first, whatever other hosts must offer, because the
 * deployment's data is where it is. Growing on a drained host would give it something new, so that is a move.
 * A drained host is to become empty: what may move leaves it, whatever its new size, where another host has room.
 */
export function planResize(
  hosts: readonly HostLoad[],
  deployment: string,
  current: Allocation,
  wanted: number,
  allowMove: boolean,
): ResizePlan {
  const here = hosts.find((host) => host.host === current.host);
  const drained = here?.drain ?? false;
  const fits = wanted <= current.slots || (here && !drained && wanted - current.slots <= freeSlots(here));
  if (fits && !(drained && allowMove)) return { kind: "stay" };
  if (!allowMove) return { kind: "refused", reason: drained ? "drained" : "no room here" };
  const others = rankHosts(
    hosts.filter((host) => host.host !== current.host),
    deployment,
    wanted,
  );
  if (others.length > 0) return { kind: "move", hosts: others.map((other) => other.host) };
  return fits ? { kind: "stay" } : { kind: "refused", reason: "no room anywhere" };
}

/** FNV-1a over both texts, mixed once more because their last letters differ most. Stable forever: it decides places. */
function tieBreak(deployment: string, host: string): number {
  let hash = 0x811c9dc5;
  // The zero byte keeps ("ab", "c") apart from ("a", "bc"); neither text can contain it.
  for (const byte of Buffer.from(`${deployment}\0${host}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Chooses the host of a deployment from the content of the ledger. Pure. */

/** A host of a pool as the ledger currently has it. */
export interface HostLoad {
  readonly host: string;
  /** Number of slots. */
  readonly slots: number;
  /** Slots used by all pools. */
  readonly used: number;
  readonly weight: number;
  readonly drain: boolean;
}

/** The slots of a deployment in a pool. */
interface Allocation {
  readonly host: string;
  readonly slots: number;
}

/** A resize in place, a move to the best of `hosts`, or the reason why neither is possible. */
type ResizePlan =
  | { readonly kind: "stay" }
  | { readonly kind: "move"; readonly hosts: readonly string[] }
  | { readonly kind: "refused"; readonly reason: "drained" | "no room here" | "no room anywhere" };

export const freeSlots = (host: HostLoad): number => host.slots - host.used;

/** A host that can take the desired slots. */
export interface Candidate {
  readonly host: string;
  /**
   * The host stays the best choice while no more than this is used on it. If concurrent allocations exceed it before
   * the slots are taken, the pool is read again.
   */
  readonly mostUsed: number;
}

/**
 * Returns the hosts that can take `wanted` slots, best first. The best host is the least full one afterwards, measured
 * as `(used + wanted) / (slots × weight)`, so that hosts fill in proportion to size and weight. A hash of deployment
 * and host breaks ties: the result is deterministic, and different deployments spread. An exact fit counts; drained
 * hosts get nothing.
 */
export function rankHosts(hosts: readonly HostLoad[], deployment: string, wanted: number): Candidate[] {
  const ranked = hosts
    .filter((host) => !host.drain && wanted <= freeSlots(host))
    .map((host) => ({ host, load: loadWith(host, host.used + wanted), tie: tieBreak(deployment, host.host) }))
    .sort((a, b) => a.load - b.load || a.tie - b.tie || compareText(a.host.host, b.host.host));
  return ranked.map(({ host }, index) => ({
    host: host.host,
    mostUsed: mostUsed(host, wanted, ranked[index + 1]?.load ?? Infinity),
  }));
}

const loadWith = (host: HostLoad, used: number): number => used / (host.slots * host.weight);

function mostUsed(host: HostLoad, wanted: number, nextLoad: number): number {
  const room = host.slots - wanted;
  // Rounding must not lose a slot.
  const even = Math.floor(nextLoad * host.slots * host.weight + 1e-6) - wanted;
  return Math.max(host.used, Math.min(room, even));
}

/**
 * Plans the resize of an allocation to `wanted` slots. Staying has priority, because the deployment's data is on its
 * host. Growing on a drained host is not allowed, so it becomes a move. A drained host is to be emptied: a deployment
 * that may move leaves it, whatever its new size, if another host has room.
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

/**
 * FNV-1a over both texts, mixed once more because they differ mostly in their last letters. Must never change: it
 * determines placement.
 */
function tieBreak(deployment: string, host: string): number {
  let hash = 0x811c9dc5;
  // The zero byte separates ("ab", "c") from ("a", "bc"); neither text can contain it.
  for (const byte of Buffer.from(`${deployment}\0${host}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

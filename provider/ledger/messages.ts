/** Error messages of the ledger: the request and what is available. */

import type { WantedSlots } from "./wanted";
import { freeSlots, type HostLoad } from "./planner";

export function noRoom(wanted: WantedSlots, hosts: readonly HostLoad[]): Error {
  const what = `${slotsOf(wanted.slots)} for deployment ${wanted.deployment}`;
  if (hosts.length === 0) {
    return new Error(`pool ${wanted.pool} has no hosts, so there is no room for ${what}; add hosts to its provisioner`);
  }
  const most = Math.max(0, ...hosts.filter((host) => !host.drain).map(freeSlots));
  const instead = most > 0 ? `request ${most} or fewer, or add` : "add";
  return new Error(
    `pool ${wanted.pool} has no host with room for ${what}. Free: ${listed(hosts)}. ` +
      `Free some, ${instead} slots or hosts to its provisioner`,
  );
}

export function noRoomToGrow(wanted: WantedSlots, host: string, has: number, hosts: readonly HostLoad[]): Error {
  const here = hosts.find((one) => one.host === host);
  const asked = `deployment ${wanted.deployment} on host ${host} of pool ${wanted.pool}`;
  const change = has > 0 ? `grow from ${has} to ${slotsOf(wanted.slots)}` : `have its ${slotsOf(wanted.slots)} back`;
  const why = !here
    ? "the host is not in the pool any more"
    : here.drain
      ? "the host is being drained and takes nothing new"
      : `only ${freeSlots(here)} more are free there`;
  const move = wanted.allowMove
    ? "No other host has room either"
    : "Allow it to move to another host (--move, or allowMove of the resource; data does not come along), or free slots here";
  return new Error(`${asked} cannot ${change}: ${why}. Free: ${listed(hosts)}. ${move}`);
}

export class UnknownPoolError extends Error {
  override readonly name = "UnknownPoolError";
}

export function unknownPool(pool: string, known: readonly string[]): UnknownPoolError {
  const there = known.length > 0 ? `it has ${known.join(", ")}` : "it has no pools";
  return new UnknownPoolError(
    `the ledger has no pool ${pool}; ${there}. Update the platform stack, which registers its pools`,
  );
}

/** Formats hosts: `a 2 of 6, b 0 of 6 (drained)`. */
function listed(hosts: readonly HostLoad[]): string {
  return hosts
    .map((host) => `${host.host} ${freeSlots(host)} of ${host.slots}${host.drain ? " (drained)" : ""}`)
    .join(", ");
}

const slotsOf = (count: number): string => `${count} ${count === 1 ? "slot" : "slots"}`;

/** Slots that a deployment has. */
export interface SlotsHeld {
  readonly deployment: string;
  readonly slots: number;
}

/** Formats deployments: `2 deployments: a (1 slot), b (3 slots)`, at most twenty. */
export function deployments(taken: readonly SlotsHeld[]): string {
  const shown = taken.slice(0, 20).map(({ deployment, slots }) => `${deployment} (${slots} ${plural(slots, "slot")})`);
  const more = taken.length > 20 ? [`and ${taken.length - 20} more`] : [];
  return `${taken.length} ${plural(taken.length, "deployment")}: ${[...shown, ...more].join(", ")}`;
}

const plural = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

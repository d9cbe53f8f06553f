/** What a launch template says of the capacity, placement and network cards of a pool. Pure. */

import type { NodePoolConfig } from "./plan";

/** Network cards of an instance type, and how many of them can be Elastic Fabric Adapters. */
export interface NetworkCards {
  readonly cards: number;
  readonly adapters: number;
}

/** Capacity of a managed node group. */
export const capacityType = ({ capacity }: Pick<NodePoolConfig, "capacity">): string =>
  ({ onDemand: "ON_DEMAND", spot: "SPOT", capacityBlock: "CAPACITY_BLOCK" })[capacity];

/** The reservation that instances start in. A Capacity Block is a market of its own, for one instance type. */
export function reservationOf({ capacity, capacityReservationIds, instanceTypes }: NodePoolConfig) {
  const [capacityReservationId] = capacityReservationIds ?? [];
  if (capacityReservationId === undefined) return {};
  return {
    capacityReservationSpecification: { capacityReservationTarget: { capacityReservationId } },
    ...(capacity === "capacityBlock" && {
      instanceMarketOptions: { marketType: "capacity-block" },
      instanceType: instanceTypes[0],
    }),
  };
}

interface Interface {
  readonly deviceIndex: number;
  readonly networkCardIndex: number;
  readonly interfaceType: "interface" | "efa" | "efa-only";
}

/**
 * An adapter on each network card. The first card also has the addresses of the node; where not every card can have an
 * adapter, it has none, as with P6-B300. Source: the EC2 user guide, "Maximize network bandwidth on Amazon EC2
 * instances with multiple network cards".
 */
export function adapters({ cards, adapters: most }: NetworkCards): Interface[] {
  const first = most < cards ? "interface" : "efa";
  const others = Math.min(cards - 1, most < cards ? most : most - 1);
  return [
    { deviceIndex: 0, networkCardIndex: 0, interfaceType: first },
    ...Array.from({ length: others }, (_, index) => ({
      deviceIndex: 1,
      networkCardIndex: index + 1,
      interfaceType: "efa-only" as const,
    })),
  ];
}

/** Instance types for Karpenter's provider of simulated nodes. Data only. */

const ZONES = ["yard-a", "yard-b", "yard-c"];
/** CPUs by size. */
const SIZES: Readonly<Record<string, number>> = { large: 2, xlarge: 4, "2xlarge": 8, "4xlarge": 16 };
/** Per family: GiB of memory per CPU, architecture, and price per CPU hour in dollars. */
const FAMILIES = {
  c7i: { memory: 2, architecture: "amd64", price: 0.045 },
  m7i: { memory: 4, architecture: "amd64", price: 0.05 },
  r7i: { memory: 8, architecture: "amd64", price: 0.066 },
  m7g: { memory: 4, architecture: "arm64", price: 0.041 },
} as const;

const SPOT_DISCOUNT = 0.4;

/** Returns types such as `m7i.xlarge` in every zone, on demand and spot. */
export function instanceTypes(): readonly object[] {
  return Object.entries(FAMILIES).flatMap(([family, { memory, architecture, price }]) =>
    Object.entries(SIZES).map(([size, cpu]) => ({
      name: `${family}.${size}`,
      offerings: ZONES.flatMap((zone) => [
        offering("on-demand", zone, cpu * price),
        offering("spot", zone, cpu * price * SPOT_DISCOUNT),
      ]),
      architecture,
      operatingSystems: ["linux"],
      resources: { cpu: String(cpu), memory: `${cpu * memory}Gi`, "ephemeral-storage": "50Gi", pods: "58" },
    })),
  );
}

const offering = (capacity: string, zone: string, price: number): object => ({
  Price: price,
  Available: true,
  Requirements: [
    { key: "karpenter.sh/capacity-type", operator: "In", values: [capacity] },
    { key: "topology.kubernetes.io/zone", operator: "In", values: [zone] },
  ],
});

/** What AWS charges for, and what a run costs. Pure. */

/** What is charged by the hour. */
export interface Prices {
  readonly cluster: number;
  /** A cluster whose version has extended support only. */
  readonly extendedCluster: number;
  readonly natGateway: number;
  readonly publicAddress: number;
  /** An `m7i.large` on demand. */
  readonly node: number;
  /** The `t3.medium` that each platform has for its cluster-autoscaler. */
  readonly smallNode: number;
  /** The disk of a node, of 50 GiB (gp3). */
  readonly disk: number;
  readonly loadBalancer: number;
  readonly key: number;
}

export type Charged = Partial<Record<keyof Prices, number>>;

const HOURS_A_MONTH = 730;
const NODE_DISK_GIB = 50;
const disk = (gibMonth: number): number => (gibMonth * NODE_DISK_GIB) / HOURS_A_MONTH;

/** The same in all regions. */
const EVERYWHERE = { cluster: 0.1, extendedCluster: 0.6, publicAddress: 0.005, key: 1 / HOURS_A_MONTH } as const;

/**
 * Prices in USD per hour, without taxes, discounts and traffic. Sources: the pricing pages of AWS for EKS
 * (aws.amazon.com/eks/pricing), EC2 and EBS (aws.amazon.com/ec2/pricing/on-demand, aws.amazon.com/ebs/pricing), VPC
 * (aws.amazon.com/vpc/pricing), Elastic Load Balancing (Classic) and KMS, read in November 2026.
 */
export const PRICES: Readonly<Record<string, Prices>> = {
  "us-east-1": {
    ...EVERYWHERE,
    natGateway: 0.045,
    node: 0.1008,
    smallNode: 0.0416,
    disk: disk(0.08),
    loadBalancer: 0.025,
  },
  "eu-central-1": {
    ...EVERYWHERE,
    natGateway: 0.052,
    node: 0.12075,
    smallNode: 0.048,
    disk: disk(0.0952),
    loadBalancer: 0.03,
  },
};

/** USD for an hour of all that is charged. */
export function hourly(charged: Charged, prices: Prices): number {
  const parts = Object.entries(charged) as [keyof Prices, number][];
  return parts.reduce((sum, [kind, count]) => sum + prices[kind] * count, 0);
}

/** A step, as far as its costs are concerned. */
interface Planned {
  readonly name: string;
  readonly does: string;
  readonly minutes: number;
  readonly charged: Charged;
}

interface Estimate {
  readonly minutes: number;
  readonly usd: number;
  /** USD for an hour of the step with the most, which a run costs while nobody cleans up. */
  readonly usdAnHour: number;
}

/** With extended support, each cluster costs its price. */
export function estimateOf(steps: readonly Planned[], region: string, isExtended: boolean): Estimate {
  const prices = PRICES[region] ?? PRICES["eu-central-1"]!;
  const used = isExtended ? { ...prices, cluster: prices.extendedCluster } : prices;
  const costs = steps.map(({ minutes, charged }) => ({ minutes, anHour: hourly(charged, used) }));
  return {
    minutes: costs.reduce((sum, { minutes }) => sum + minutes, 0),
    usd: costs.reduce((sum, { minutes, anHour }) => sum + (anHour * minutes) / 60, 0),
    usdAnHour: Math.max(0, ...costs.map(({ anHour }) => anHour)),
  };
}

const usd = (amount: number): string => `${amount.toFixed(2)} USD`;

/** The steps with the time and the cost of each, and both in total. */
export function planText(steps: readonly Planned[], region: string, isExtended: boolean): string {
  const row = (name: string, minutes: string, cost: string, does: string): string =>
    `  ${name.padEnd(14)}${minutes.padStart(8)}${cost.padStart(11)}   ${does}`.trimEnd();
  const rows = steps.map((step) => {
    const { minutes, usd: cost } = estimateOf([step], region, isExtended);
    return row(step.name, `${minutes} min`, usd(cost), step.does);
  });
  const total = estimateOf(steps, region, isExtended);
  const known = PRICES[region] ? [] : [`Prices of ${region} are not known here; these are those of eu-central-1.`];
  return [
    row("STEP", "TIME", "COST", "WHAT IT DOES"),
    ...rows,
    row("total", `${total.minutes} min`, usd(total.usd), ""),
    "",
    ...known,
    `Without taxes and traffic. While nothing is deleted, an hour costs up to ${usd(total.usdAnHour)}. The key costs 1 USD a month until it is deleted.`,
  ].join("\n");
}

import type { Platform } from "../../../components/runtime/platform/platform";
import { poolOf } from "../../../components/runtime/types/registry";
import type { PoolUsage } from "../../../provider/ledger/usage";
import type { StackState } from "../../../engine/pulumi/state/checkpoint";

/** A deployment on a host. */
export interface Tenant {
  readonly deployment: string;
  readonly slots: number;
  readonly provisioner: string;
  /** Its runtime stack; undefined if this state backend has none. */
  readonly stack: string | undefined;
}

/** Returns the deployments that the ledger has on the host, in the pools of these provisioners. */
export function tenantsOf(
  host: string,
  platform: Platform,
  usage: readonly PoolUsage[],
  stacks: readonly StackState[],
): Tenant[] {
  return Object.entries(platform.provisioners).flatMap(([provisioner, one]) => {
    const pool = poolOf(one);
    if (pool === undefined) return [];
    const hosts = usage.find((found) => found.pool === pool)?.hosts ?? [];
    const here = hosts.find((found) => found.host === host)?.deployments ?? [];
    return here.map(({ deployment, slots }) => ({
      deployment,
      slots,
      provisioner,
      stack: stacks.find((state) => has(state, pool, deployment))?.name,
    }));
  });
}

const has = ({ resources }: StackState, pool: string, deployment: string): boolean =>
  resources.some(
    ({ type, inputs }) =>
      type === "stackyard:index:SlotAllocation" && inputs?.pool === pool && inputs.deployment === deployment,
  );

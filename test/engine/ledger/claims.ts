/** Resources that claim slots and pools, as their states have them. */

import { allocate, type Allocated } from "../../../provider/ledger/allocations";
import type { PoolClaimant } from "../../../provider/ledger/owners/pool";
import { removePool, type PoolHost, type Removal } from "../../../provider/ledger/pools";
import { release } from "../../../provider/ledger/slots/held";
import type { SlotsClaimant, WantedSlots } from "../../../provider/ledger/wanted";
import { registerPool, type Registration } from "../../../provider/resources/staticPool/registerPool";
import type { LedgerOptions } from "../../../provider/ledger/database";

export const BACKEND = "s3://state";

/** The resource with this owner id, before it has changed anything. */
export const claim = (owner: string, more: Partial<SlotsClaimant> = {}): SlotsClaimant => ({
  owner,
  stack: `stackyard-runtime/${owner}`,
  backend: BACKEND,
  generation: 0,
  ...more,
});

/** Stacks whose states are always stored. Each deployment and each pool has one owner. */
export class Stacks {
  readonly #generations = new Map<string, number>();

  constructor(private readonly url: () => string) {}

  claimOf = (name: string): SlotsClaimant => claim(name, { generation: this.#generations.get(name) ?? 0 });

  async take(wanted: Omit<WantedSlots, "claimant">, options?: LedgerOptions): Promise<Omit<Allocated, "generation">> {
    const { deployment } = wanted;
    const { generation, ...placement } = await allocate(
      this.url(),
      { ...wanted, claimant: this.claimOf(deployment) },
      options,
    );
    this.#generations.set(deployment, generation);
    return placement;
  }

  give = (pool: string, deployment: string): Promise<unknown> =>
    release(this.url(), { pool, deployment }, this.claimOf(deployment));

  async register(
    pool: string,
    hosts: readonly PoolHost[],
    options: LedgerOptions & { readonly dryRun?: boolean } = {},
  ): Promise<Pick<Registration, "warnings">> {
    const claimant: PoolClaimant = { ...this.claimOf(pool), has: undefined };
    const { generation, warnings } = await registerPool(this.url(), pool, hosts, claimant, options);
    if (options.dryRun !== true) this.#generations.set(pool, generation);
    return { warnings };
  }

  remove = (pool: string): Promise<Removal> => removePool(this.url(), pool, { ...this.claimOf(pool), has: undefined });
}

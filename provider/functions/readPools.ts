/** The function `readPools`: what a platform's program must know about its pools before it registers resources. */

import type { FunctionHandler } from "../framework/function";
import { capacityWarnings } from "../ledger/capacity";
import { withLedger } from "../ledger/database";
import { deployments, type SlotsHeld } from "../ledger/messages";

export interface PoolsQuestion {
  readonly ledgerUrl: string;
  /** Pools by name, with their planned hosts. */
  readonly pools: Readonly<Record<string, readonly { host: string; slots: number; drain: boolean }[]>>;
}

export interface PoolsAnswer {
  /** Warnings about pools that are nearly full. */
  readonly warnings: readonly string[];
  /** Text about the deployments in each pool; pools without deployments are missing. */
  readonly inUse: Readonly<Record<string, string>>;
  /** Why the ledger did not answer. */
  readonly trouble?: string;
}

/** Short, because the program can do without the result. */
const PATIENCE_MS = 5_000;

/**
 * Needs one connection and two statements for all pools. If the ledger does not answer, returns the reason instead of
 * failing.
 */
export const readPools: FunctionHandler<PoolsQuestion, PoolsAnswer> = async ({ signal }, { ledgerUrl, pools }) => {
  const late = AbortSignal.timeout(PATIENCE_MS);
  const patience = new Promise<never>((_, reject) => {
    late.addEventListener("abort", () => reject(new Error(`the ledger did not answer within ${PATIENCE_MS / 1000} s`)));
  });
  try {
    const options = { signal: AbortSignal.any([signal, late]), migrate: false };
    return await Promise.race([patience, withLedger(ledgerUrl, options, (client, empty) => ask(client, empty, pools))]);
  } catch (error) {
    signal.throwIfAborted();
    return { warnings: [], inUse: {}, trouble: error instanceof Error ? error.message : String(error) };
  }
};

type Client = Parameters<Parameters<typeof withLedger>[2]>[0];

async function ask(client: Client, empty: boolean, pools: PoolsQuestion["pools"]): Promise<PoolsAnswer> {
  if (empty) return { warnings: [], inUse: {} };
  const names = Object.values(pools).flatMap((hosts) => hosts.map(({ host }) => host));
  const loads = await client.query<{ host: string; used: number }>(
    "SELECT host, used FROM stackyard.hosts WHERE host = ANY($1)",
    [names],
  );
  const taken = await client.query<SlotsHeld & { pool: string }>(
    "SELECT pool, deployment, slots FROM stackyard.allocations WHERE pool = ANY($1) ORDER BY pool, deployment",
    [Object.keys(pools)],
  );
  const used = new Map(loads.rows.map((row) => [row.host, row.used]));
  const warnings = Object.entries(pools).flatMap(([pool, hosts]) =>
    capacityWarnings(
      pool,
      hosts.map((host) => ({ ...host, used: used.get(host.host) ?? 0 })),
    ),
  );
  const byPool = Map.groupBy(taken.rows, ({ pool }) => pool);
  return { warnings, inUse: Object.fromEntries([...byPool].map(([pool, rows]) => [pool, deployments(rows)])) };
}

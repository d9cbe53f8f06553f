/**
 * Measures the ledger's allocations: 10,000 slots, 100 concurrent allocations, 100 requests too many. The peer in the
 * same run: plain INSERTs of rows with the same shape through the same number of connections. Uses
 * STACKYARD_TEST_LEDGER_URL, or starts its own PostgreSQL.
 */

import { performance } from "node:perf_hooks";
import { Pool } from "pg";
import { randomUUID } from "node:crypto";
import { allocate } from "../provider/ledger/allocations";
import { closeLedgers, CONNECTIONS } from "../provider/ledger/database";
import { registerPool } from "../provider/resources/staticPool/registerPool";
import { readUsage } from "../provider/ledger/usage";
import { startPostgres } from "../test/engine/ledger/postgres";

const HOSTS = 100;
const SLOTS_EACH = 100;
const SLOTS = HOSTS * SLOTS_EACH;
const AT_A_TIME = 100;
const TOO_MANY = 100;
const POOL = "bench/pool";

/** Runs `job` for 0 to count - 1, {@link AT_A_TIME} at once. Returns the seconds. */
async function timed(count: number, job: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const start = performance.now();
  const worker = async () => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return (performance.now() - start) / 1000;
}

async function plainInserts(url: string): Promise<number> {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS });
  await pool.query(
    "CREATE TABLE plain (pool text, deployment text, host text, slots integer, PRIMARY KEY (pool, deployment))",
  );
  const seconds = await timed(SLOTS, (index) =>
    pool.query("INSERT INTO plain VALUES ($1, $2, $3, $4)", [POOL, `d${index}`, `http://h${index % HOSTS}`, 1]),
  );
  await pool.end();
  return seconds;
}

const ownerOf = (name: string) => ({
  owner: randomUUID(),
  stack: `stackyard-runtime/${name}`,
  backend: "s3://bench/state",
  generation: 0,
});

async function allocations(url: string): Promise<{ seconds: number; refused: number }> {
  const hosts = Array.from({ length: HOSTS }, (_, i) => ({
    host: `http://h${i}`,
    slots: SLOTS_EACH,
    dataDir: "/data",
    audienceUrl: `http://h${i}`,
    weight: 1,
    drain: false,
  }));
  await registerPool(url, POOL, hosts, ownerOf("pool"));
  let refused = 0;
  const seconds = await timed(SLOTS + TOO_MANY, async (index) => {
    try {
      await allocate(url, { pool: POOL, deployment: `d${index}`, slots: 1, claimant: ownerOf(`d${index}`) });
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes("has no host with room")) throw error;
      refused++;
    }
  });
  return { seconds, refused };
}

async function main(): Promise<void> {
  const server = await startPostgres();
  try {
    const url = await server.database();
    const plain = await plainInserts(url);
    const { seconds, refused } = await allocations(url);
    const [pool] = await readUsage(url, POOL);
    const taken = pool?.hosts.reduce((sum, host) => sum + host.deployments.length, 0) ?? 0;
    const overfull = pool?.hosts.filter((host) => host.used > host.slots || host.used !== host.deployments.length);
    await closeLedgers();
    const rate = (SLOTS + TOO_MANY) / seconds;
    const peer = SLOTS / plain;
    console.log(`slots: ${SLOTS} on ${HOSTS} hosts, ${AT_A_TIME} allocations at a time, ${SLOTS + TOO_MANY} asked for`);
    console.log(`  given ${taken}, refused ${refused}, overfull hosts ${overfull?.length}`);
    console.log(`  ${rate.toFixed(0)} allocations per second; plain INSERT ${peer.toFixed(0)} per second`);
    console.log(`  ratio ${(rate / peer).toFixed(2)} of plain INSERTs`);
    if (taken !== SLOTS || refused !== TOO_MANY || overfull?.length !== 0) process.exitCode = 1;
  } finally {
    await closeLedgers();
    await server.stop();
  }
}

void main();

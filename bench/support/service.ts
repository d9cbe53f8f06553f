import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { below } from "../../engine/pulumi/processTree";
import type { RuntimeChange } from "../../engine/stack/change";
import { connect, migrate } from "../../service/database";
import { byId } from "../../service/database/queries/operations";
import { ENDED, type OperationKind, type OperationRow } from "../../service/database/tables";
import { Operations, type Caller } from "../../service/operations";
import * as path from "node:path";
import type { Bed } from "./bed";

const CALLER: Caller = { tenant: "bench", actor: "bench", role: "admin" };
const LOOK_MS = 10;

/** A database of the service's own in the yard's PostgreSQL, and ways to ask for things through it. */
export interface ServiceBed {
  readonly url: string;
  ask(deployment: string, kind: OperationKind, change?: RuntimeChange): Promise<OperationRow>;
  /** Waits for the end; throws where it is no success. */
  end(operation: Pick<OperationRow, "id">): Promise<void>;
  /** Seconds that each provisioning took, in the order in which they began. */
  durations(prefix: string): Promise<number[]>;
  /** Milliseconds from each request to its begin, of those that found a free worker. */
  waits(): Promise<number[]>;
  remove(): Promise<void>;
}

export async function serviceDatabase(bed: Bed): Promise<ServiceBed> {
  const name = `bench_${randomBytes(4).toString("hex")}`;
  await execute(bed.yard.ledgerUrl, `create database ${name}`);
  const url = new URL(bed.yard.ledgerUrl);
  url.pathname = `/${name}`;
  const database = connect({ connectionString: url.href });
  await migrate(database.pool, path.join(bed.root, "service", "database", "migrations"));
  const operations = new Operations({ database: database.kysely, defaultPlatform: "organization/stackyard/dev" });
  const numbers = async (text: string, ...values: string[]): Promise<number[]> => {
    const { rows } = await database.pool.query<{ number: string }>(text, values);
    return rows.map(({ number }) => Number(number));
  };
  return {
    url: url.href,
    ask: (deployment, kind, change) => operations.request({ deployment, kind, change }, CALLER),
    end: async ({ id }) => {
      for (;;) {
        const row = await byId(database.kysely, undefined, id);
        if (row?.state === "succeeded") return;
        if (row && ENDED.has(row.state)) throw new Error(`${row.deploymentId}: ${row.error?.reason ?? row.state}`);
        await sleep(LOOK_MS);
      }
    },
    durations: (prefix) =>
      numbers(
        "select extract(epoch from ended_at - started_at) as number from operation where kind = 'provision' and deployment_id like $1 order by started_at",
        `${prefix}%`,
      ),
    waits: () =>
      numbers(
        "select extract(epoch from started_at - requested_at) * 1000 as number from operation where deployment_id like 'bench-one-%' and kind <> 'deprovision'",
      ),
    remove: async () => {
      await database.close();
      await execute(bed.yard.ledgerUrl, `drop database ${name} with (force)`);
    },
  };
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and all below it, and of those of them that have ended and were waited for. */
export function cpuOfTree(root: number): number {
  return [root, ...below(root)].reduce((sum, pid) => sum + cpuOf(pid), 0);
}

function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
    // utime, stime, cutime, cstime.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0; // Ended while we looked.
  }
}

/** Memory of a process and all below it in MiB; pages that several of them use are counted once. */
export function memoryOfTree(root: number): number {
  return [root, ...below(root)].reduce((sum, pid) => sum + memoryOf(pid), 0);
}

function memoryOf(pid: number): number {
  try {
    const [, kilobytes = 0] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0; // Ended while we looked.
  }
}

async function execute(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

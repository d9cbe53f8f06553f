import { connect, migrate } from "../../service/database";
import { startWorkers } from "../../service/workers";
import { projectRoot } from "../../toolchain/root";
import { MIGRATIONS } from "./database";

/*
 * A process of the service without its API: the queue, the workers and the recovery of one machine.
 * Ends with SIGTERM, after its operations or when their time is over.
 */

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const say = (level: string) => (fields: object, text: string) =>
  process.stderr.write(`${JSON.stringify({ level, text, ...fields })}\n`);

async function main(): Promise<void> {
  const database = connect({ connectionString: process.env["HOST_DATABASE"] ?? "" });
  await migrate(database.pool, MIGRATIONS);
  const workers = await startWorkers(
    {
      root: projectRoot(),
      defaultPlatform: "organization/stackyard/here",
      count: number("HOST_WORKERS", 2),
      memoryMb: 600,
      maxAgeMs: number("HOST_MAX_AGE_MS", 3_600_000),
      operationMs: 300_000,
      stageMs: number("HOST_STAGE_MS", 120_000),
      drainMs: number("HOST_DRAIN_MS", 30_000),
      takesUp: true,
      leaseMs: number("HOST_LEASE_MS", 12_000),
      backOff: { firstMs: 300, mostMs: 3_000 },
    },
    database,
    { info: say("info"), warn: say("warn"), error: say("error") },
  );
  process.on("SIGTERM", () => {
    void workers.drain().then(async () => {
      await database.close();
      process.exit(0);
    });
  });
  process.stdout.write("ready\n");
}

void main();

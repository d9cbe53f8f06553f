import { Capacity } from "../../service/capacity/capacity";
import { connect, migrate } from "../../service/database/serviceDatabase";
import type { Database } from "../../service/database/database";
import { untilAnswers } from "../../service/database/await";
import { Operations, type Caller, type OperationInput } from "../../service/operations";
import { extrasOf } from "../../service/extras";
import { readEnvironment } from "../../service/environment";
import { kymaLimits } from "../../service/gardener/settings";
import { gardensOf } from "../../service/gardener/gardens";
import { Shoots } from "../../service/gardener/shoots";
import { Rollouts } from "../../service/rollouts/rollouts";
import type { OperationRow } from "../../service/database/tables";
import type { Plan, Planner } from "../../service/operations/planner";
import { startWorkers } from "../../service/workers/workers";
import { backendIn } from "../../foundation/pulumi/backend";
import { projectRoot } from "../../toolchain/root";
import { MIGRATIONS } from "./database";

/*
 * A process of the service without its API: the queue, the workers and the recovery of one machine.
 * Ends with SIGTERM, after its operations or when their time is over.
 */

/** One of these is asked for. */
export interface HostRequest {
  readonly number: number;
  readonly caller: Caller;
  readonly plan?: OperationInput;
  readonly request?: OperationInput;
  /** Id of an operation. */
  readonly cancel?: string;
  readonly key?: string;
}

export interface HostAnswer {
  readonly number: number;
  readonly plan?: Plan;
  readonly operation?: Pick<OperationRow, "id">;
  readonly error?: { readonly code?: string; readonly reason?: string };
}

const backend = backendIn(process.env);
const PLATFORM = `organization/stackyard/${process.env["HOST_PLATFORM"] ?? "here"}`;
const stackNaming = process.env["HOST_STACK_NAMES"] === "tenant" ? "tenant" : "id";
const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const say = (level: string) => (fields: object, text: string) =>
  process.stderr.write(`${JSON.stringify({ level, text, ...fields })}\n`);

/** By the provisioners of the platforms alone. */
function clusterWork(database: Database) {
  const capacity = new Capacity({ database, workspace: { folder: projectRoot(), backend }, defaultPlatform: PLATFORM });
  const values = { APP_GARDENER_KUBECONFIG_PATH: "/nowhere", APP_GARDENER_PROJECT: "" };
  const shoots = new Shoots(
    gardensOf(values, (name) => capacity.platform(name)),
    new AbortController().signal,
  );
  return { shoots, limits: kymaLimits(readEnvironment({ APP_OIDC_ISSUER: "https://issuer.example.com" })) };
}

async function main(): Promise<void> {
  const database = connect({ connectionString: process.env["HOST_DATABASE"] ?? "" });
  await untilAnswers(database.pool, () => undefined, 500);
  await migrate(database.pool, MIGRATIONS);
  const log = { info: say("info"), warn: say("warn"), error: say("error") };
  const operations = new Operations({ database: database.kysely, defaultPlatform: PLATFORM });
  const planner = (): Planner => workers.planner;
  const rollouts = new Rollouts({ database: database.kysely, operations, planner });
  const url = process.env["HOST_WEBHOOK"];
  const webhook = url === undefined ? undefined : { url, secret: "key", firstMs: 300 };
  const extras = extrasOf(
    { ...(webhook && { webhook }) },
    { database: database.kysely, operations, planner, rollouts, log },
  );
  const workers = await startWorkers(
    {
      root: projectRoot(),
      backend,
      defaultPlatform: PLATFORM,
      count: number("HOST_WORKERS", 2),
      memoryMb: 600,
      maxAgeMs: number("HOST_MAX_AGE_MS", 3_600_000),
      operationMs: number("HOST_OPERATION_MS", 300_000),
      stageMs: number("HOST_STAGE_MS", 120_000),
      drainMs: number("HOST_DRAIN_MS", 30_000),
      takesUp: true,
      leaseMs: number("HOST_LEASE_MS", 12_000),
      backOff: { firstMs: 300, mostMs: 3_000 },
      clusters: clusterWork(database.kysely),
    },
    database,
    log,
    extras,
  );
  const asking = new Operations({
    database: database.kysely,
    defaultPlatform: PLATFORM,
    stackNaming,
    planner: workers.planner,
    ...(extras.onEnd && { onEnd: extras.onEnd }),
  });
  // For tests: what an API would be asked for.
  process.on("message", ({ number: turn, caller, plan, request, cancel, key }: HostRequest) => {
    const answer = async (): Promise<Omit<HostAnswer, "number">> => {
      if (plan) return { plan: await asking.plan(plan, caller) };
      if (request) return { operation: await asking.request(request, caller) };
      return { operation: await asking.cancel(cancel ?? "", caller, key) };
    };
    void answer().then(
      (answered) => process.send?.({ number: turn, ...answered }),
      (error: { code?: string; reason?: string; stack?: string }) =>
        process.send?.({ number: turn, error: { code: error.code, reason: error.reason ?? error.stack } }),
    );
  });
  process.on("SIGTERM", () => {
    void workers.drain().then(async () => {
      await database.close();
      process.exit(0);
    });
  });
  process.stdout.write("ready\n");
}

if (require.main === module) void main();

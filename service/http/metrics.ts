import { sql } from "kysely";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Seen } from "../api/yoga";
import { watchMetrics } from "./watchMetrics";
import type { Database } from "../database/database";

export interface Metrics {
  readonly registry: Registry;
  observe(this: void, seen: Seen): void;
}

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];

/** Metrics of the process and its requests and, with a database, of operations across all processes. */
export function createMetrics(database?: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "stackyard_api_requests_total",
    help: "Requests to the API by field and outcome.",
    labelNames: ["field", "outcome"],
    registers: [registry],
  });
  const durations = new Histogram({
    name: "stackyard_api_request_seconds",
    help: "Time that requests to the API took.",
    labelNames: ["field"],
    buckets: SECONDS,
    registers: [registry],
  });
  if (database) {
    operationMetrics(database, registry);
    watchMetrics(database, registry);
  }
  return {
    registry,
    observe: ({ field, outcome, seconds }) => {
      requests.inc({ field, outcome });
      durations.observe({ field }, seconds);
    },
  };
}

interface Stats {
  readonly operations: readonly {
    readonly kind: string;
    readonly state: string;
    readonly count: number;
    readonly seconds: number | null;
  }[];
  readonly deployments: number;
  readonly oldestSeconds: number;
}

async function readStats(database: Database): Promise<Stats> {
  const [operations, deployments, queue] = await Promise.all([
    database
      .selectFrom("operation")
      .select(["kind", "state"])
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .select(sql<number | null>`extract(epoch from avg(ended_at - started_at))::float`.as("seconds"))
      .where((eb) => eb.or([eb("endedAt", "is", null), eb("endedAt", ">", sql<Date>`now() - interval '1 hour'`)]))
      .groupBy(["kind", "state"])
      .execute(),
    database
      .selectFrom("deployment")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("deletedAt", "is", null)
      .executeTakeFirstOrThrow(),
    database
      .selectFrom("operation")
      .select(sql<number | null>`extract(epoch from now() - min(requested_at))::float`.as("seconds"))
      .where("state", "=", "pending")
      .executeTakeFirstOrThrow(),
  ]);
  return {
    operations: operations.map((row) => ({ ...row, count: Number(row.count) })),
    deployments: Number(deployments.count),
    oldestSeconds: queue.seconds ?? 0,
  };
}

/** Counted in the database on each scrape, so that they survive restarts and are the same in every process. */
function operationMetrics(database: Database, registry: Registry): void {
  const registers = [registry];
  const labelNames = ["kind", "state"];
  // All gauges of a scrape are read at the same time and share one query.
  let looking: Promise<Stats> | undefined;
  const stats = (): Promise<Stats> => (looking ??= readStats(database).finally(() => (looking = undefined)));
  new Gauge({
    name: "stackyard_deployments",
    help: "Deployments that are there.",
    registers,
    async collect() {
      this.set((await stats()).deployments);
    },
  });
  new Gauge({
    name: "stackyard_queue_oldest_seconds",
    help: "Age of the oldest operation that waits.",
    registers,
    async collect() {
      this.set((await stats()).oldestSeconds);
    },
  });
  new Gauge({
    name: "stackyard_operations",
    help: "Operations by kind and state; those that ended, of the last hour.",
    labelNames,
    registers,
    async collect() {
      const { operations } = await stats();
      this.reset();
      for (const { kind, state, count } of operations) this.set({ kind, state }, count);
    },
  });
  new Gauge({
    name: "stackyard_operation_seconds_average",
    help: "Average duration of the operations that ended in the last hour.",
    labelNames,
    registers,
    async collect() {
      const { operations } = await stats();
      this.reset();
      for (const { kind, state, seconds } of operations) if (seconds !== null) this.set({ kind, state }, seconds);
    },
  });
}

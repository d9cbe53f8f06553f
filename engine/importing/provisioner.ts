import { Client } from "pg";
import { Failure, UsageError } from "../../foundation/errors";
import { nameOfLedger } from "../../provider/ledger/trouble";

/*
 * Reads the database of the original Kyma Runtime Provisioner, at any version of its tables since 2022: those of
 * kyma-project/control-plane, components/schema-migrator/migrations/provisioner.
 */

/** An operation that the original ran. */
export interface OriginalOperation {
  readonly id: string;
  /** As in its database, such as `UPGRADE_SHOOT`. */
  readonly type: string;
  readonly state: "IN_PROGRESS" | "SUCCEEDED" | "FAILED";
  readonly stage: string | null;
  readonly message: string | null;
  /** Times in UTC, without a zone. */
  readonly start_timestamp: string;
  readonly end_timestamp: string | null;
  /** Versions before March 2022 have no errors. */
  readonly err_message?: string | null;
  readonly reason?: string | null;
  readonly component?: string | null;
}

/** A runtime that the original has. */
export interface OriginalRuntime {
  readonly id: string;
  readonly tenant: string;
  /** Name of the Shoot. */
  readonly shoot: string;
  /** Name of the Gardener project. */
  readonly project: string;
  /** Oldest first. */
  readonly operations: readonly OriginalOperation[];
}

export interface OriginalRuntimes {
  /** Those that are not deprovisioned, oldest first. */
  readonly runtimes: readonly OriginalRuntime[];
  /** Number of those that are. */
  readonly deprovisioned: number;
}

/** Whole rows, because earlier versions have fewer columns. */
const RUNTIMES = `
  select cluster.id::text, cluster.tenant, gardener_config.name as shoot, gardener_config.project_name as project,
    (select coalesce(jsonb_agg(to_jsonb(operation) order by operation.start_timestamp, operation.id), '[]')
       from operation where operation.cluster_id = cluster.id) as operations
  from cluster join gardener_config on gardener_config.cluster_id = cluster.id
  where not coalesce(cluster.deleted, false)
  order by cluster.creation_timestamp, cluster.id`;

const CONNECT_TIMEOUT_MS = 10_000;
const TABLES_ARE_MISSING = new Set(["42P01", "42703"]);

/** Reads all runtimes in one transaction that can't write. `url`: of PostgreSQL; its password may be in `PGPASSWORD`. */
export async function readProvisioner(url: string): Promise<OriginalRuntimes> {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new UsageError(
      "--from-provisioner: expected the URL of its database, such as postgres://provisioner@db.example.com/provisioner",
    );
  }
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    await client.query("begin transaction isolation level repeatable read read only");
    const { rows: runtimes } = await client.query<OriginalRuntime>(RUNTIMES);
    const { rows: gone } = await client.query<{ n: number }>("select count(*)::int as n from cluster where deleted");
    return { runtimes, deprovisioned: gone[0]?.n ?? 0 };
  } catch (error) {
    const { code = "", message } = error as Error & { readonly code?: string };
    const reason = TABLES_ARE_MISSING.has(code)
      ? `is no database of the Runtime Provisioner: ${message}`
      : message || code;
    throw new Failure(`--from-provisioner: ${nameOfLedger(url)}: ${reason}`);
  } finally {
    await client.end();
  }
}

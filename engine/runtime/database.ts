import { CLICKHOUSE_DATABASE } from "../../components/resources/tokens";
import type { ResourceState } from "../pulumi/state/checkpoint";
import { withoutUndefined } from "../../foundation/json/withoutUndefined";
import { asNumber, asText } from "../../foundation/json/scalars";

/** Without a password. `access`: whether the deployment still requests the database. */
export interface DatabaseSummary {
  readonly provisioner?: string;
  readonly host?: string;
  readonly port?: number;
  readonly database?: string;
  readonly user?: string;
  readonly access: boolean;
}

/** Reads the ClickHouse database of a runtime from the resources in its state. */
export function databaseOf(resources: readonly ResourceState[]): DatabaseSummary | undefined {
  const recorded = resources.map(
    ({ outputs }) => (outputs?.["record"] as { clickhouse?: object } | undefined)?.clickhouse,
  );
  const shared = resources.find(({ type }) => type === CLICKHOUSE_DATABASE)?.outputs;
  const made: Record<string, unknown> | undefined = shared ?? { ...recorded.find((one) => one !== undefined) };
  if (Object.keys(made).length === 0) return undefined;
  return withoutUndefined<DatabaseSummary>({
    provisioner: asText(made["provisioner"]),
    host: asText(made["host"]),
    port: asNumber(made["port"]),
    database: asText(made["database"]),
    user: asText(made["user"]),
    access: made["access"] !== false,
  });
}

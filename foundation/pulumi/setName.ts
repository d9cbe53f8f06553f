/** The name of a ManifestSet in a state; the input was called `set` before. */
export const setNameOf = (properties: Readonly<Record<string, unknown>> = {}): unknown =>
  properties["name"] ?? properties["set"];

/**
 * Names of the sets of a ClickHouse cluster of a deployment's own. Existing states know them by these names, so they are
 * written here and nowhere else.
 */
const CLICKHOUSE_SETS = { secret: "clickhouse-secret-", objects: "clickhouse-cluster-" } as const;

export const clickHouseSetName = (kind: keyof typeof CLICKHOUSE_SETS, id: string): string => CLICKHOUSE_SETS[kind] + id;

/** The id in the name of such a set; undefined for any other name. */
export function clickHouseSetId(kind: keyof typeof CLICKHOUSE_SETS, name: unknown): string | undefined {
  const prefix = CLICKHOUSE_SETS[kind];
  return typeof name === "string" && name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : undefined;
}

/** Whether a set is of a deployment's own ClickHouse cluster. The Secret of the runtime is not: it is where the runtime is. */
export const isClickHouseSet = (name: unknown): boolean =>
  clickHouseSetId("secret", name) !== undefined || clickHouseSetId("objects", name) !== undefined;

/** The name of a ManifestSet in a state. Older states store it as `set`. */
export const setNameOf = (properties: Readonly<Record<string, unknown>> = {}): unknown =>
  properties["name"] ?? properties["set"];

/**
 * Prefixes of the names of the ManifestSets for a deployment's dedicated ClickHouse cluster. Existing states contain
 * these names, so they are defined only here.
 */
const CLICKHOUSE_SETS = { secret: "clickhouse-secret-", objects: "clickhouse-cluster-" } as const;

export const clickHouseSetName = (kind: keyof typeof CLICKHOUSE_SETS, id: string): string => CLICKHOUSE_SETS[kind] + id;

/** The deployment id in the name of such a set; undefined for any other name. */
export function clickHouseSetId(kind: keyof typeof CLICKHOUSE_SETS, name: unknown): string | undefined {
  const prefix = CLICKHOUSE_SETS[kind];
  return typeof name === "string" && name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : undefined;
}

/**
 * Whether a set belongs to a deployment's dedicated ClickHouse cluster. The Secret in the runtime's namespace belongs
 * to the runtime.
 */
export const isClickHouseSet = (name: unknown): boolean =>
  clickHouseSetId("secret", name) !== undefined || clickHouseSetId("objects", name) !== undefined;

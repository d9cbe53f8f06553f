import { reachOf } from "../../components/runtime/databaseAccess";
import type { StaticClickHouse } from "../../components/runtime/clickhouse/settings";
import type { Platform } from "../../components/runtime/platform/platform";
import type { NotedDatabase } from "../../provider/resources/clickHouseDatabase/note";
import { databasesOn } from "../../provider/resources/clickHouseDatabase/notedDatabases";
import type { KnownOwners } from "./known";
import type { Search } from "./search";
import { PATIENCE_MS, type DatabaseOrphan, type Look, type OrphanKind } from "./orphan";

/** A ClickHouse server, with the first provisioner that uses it. */
interface Server {
  readonly provisioner: string;
  readonly spec: StaticClickHouse;
}

/** Returns each server of a platform once. */
export function serversOf({ clickhouse = {} }: Platform): Server[] {
  const servers = new Map<string, Server>();
  for (const [provisioner, spec] of Object.entries(clickhouse)) {
    if (spec.type !== "static") continue;
    const { host, port } = reachOf(spec.url);
    const place = `${host}:${port}`;
    if (!servers.has(place)) servers.set(place, { provisioner, spec });
  }
  return [...servers.values()];
}

/**
 * Returns the databases of a platform's deployments that no stack knows. Ignores databases of other platforms. Pure.
 */
export function databaseOrphans(
  name: string,
  { clickhouse = {} }: Platform,
  server: Server,
  databases: readonly NotedDatabase[],
  known: KnownOwners,
  search: Search,
): DatabaseOrphan[] {
  return databases
    .filter((noted) => search.isOf(name, noted))
    .filter(({ instance }) => !known.hasDatabase(instance))
    .map((noted): DatabaseOrphan => {
      const own = noted.provisioner === undefined ? undefined : clickhouse[noted.provisioner];
      const provisioner = own?.type === "static" ? (noted.provisioner ?? "") : server.provisioner;
      const spec = own?.type === "static" ? own : server.spec;
      return { type: "clickhouse", id: noted.deployment, platform: name, provisioner, spec, noted };
    });
}

const databaseName = ({ provisioner, noted }: DatabaseOrphan): string => `${provisioner}/${noted.database}`;

const serverOf = ({ spec }: DatabaseOrphan): string => {
  const { host, port } = reachOf(spec.url);
  return `${host}:${port}`;
};

const isLost = ({ spec }: DatabaseOrphan): boolean => spec.databaseWhenDeleted === "Delete";

export const databaseKind: OrphanKind<DatabaseOrphan> = {
  async look(name, platform, search) {
    const looks: Look[] = [];
    for (const server of serversOf(platform)) {
      const databases = await search.look(`the ClickHouse server of provisioner ${server.provisioner}`, () =>
        databasesOn(server.spec.url, AbortSignal.timeout(PATIENCE_MS), 1),
      );
      if (databases) looks.push((known) => databaseOrphans(name, platform, server, databases, known, search));
    }
    return looks;
  },
  data: (orphan) => [{ name: databaseName(orphan), lost: isLost(orphan) }],
  place: ({ noted }) => `${noted.database}/${noted.instance}`,
  parts(orphan) {
    const fate = isLost(orphan) ? "deleted with it" : "kept by its policy";
    return [`database ${databaseName(orphan)} on ClickHouse server ${serverOf(orphan)} (${fate})`];
  },
  structured: (orphan) => ({ server: serverOf(orphan), database: orphan.noted.database, lost: isLost(orphan) }),
  /** Revokes the access to the database. */
  async hold(name, { spec, noted }) {
    const { ClickHouseDatabase } = await import("../../components/resources/clickHouseDatabase.js");
    const { url, cluster, databaseWhenDeleted: whenDeleted } = spec;
    const { database, instance, platform, deployment, provisioner } = noted;
    const owner = `${platform}/${deployment}`;
    const known = { ...(cluster && { cluster }), ...(provisioner && { provisioner }) };
    const args = { url, ...known, database, user: database, owner, access: false, whenDeleted, adopt: instance };
    return new ClickHouseDatabase(name, args);
  },
};

import { reachOf } from "../../components/runtime/databaseAccess";
import type { StaticClickHouse } from "../../components/runtime/clickhouse/settings";
import type { Platform } from "../../components/runtime/platform/platform";
import type { NotedDatabase } from "../../provider/resources/clickHouseDatabase/note";
import { PLATFORM_PROJECT } from "../stack/names";
import type { KnownOwners } from "./known";
import type { DatabaseOrphan } from "./orphan";

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
): DatabaseOrphan[] {
  return databases
    .filter(({ platform }) => platform.endsWith(`/${PLATFORM_PROJECT}/${name}`))
    .filter(({ instance }) => !known.hasDatabase(instance))
    .map((noted): DatabaseOrphan => {
      const own = noted.provisioner === undefined ? undefined : clickhouse[noted.provisioner];
      const provisioner = own?.type === "static" ? (noted.provisioner ?? "") : server.provisioner;
      const spec = own?.type === "static" ? own : server.spec;
      return { type: "clickhouse", id: noted.deployment, platform: name, provisioner, spec, noted };
    });
}

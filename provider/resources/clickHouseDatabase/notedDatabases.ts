/** Lists the databases on a server whose comments name their deployments. */

import { type NotedDatabase, notedDatabase } from "./note";
import { ClickHouseServer, serverEndpoint } from "./server";
import { NOTED_DATABASES } from "./statements";

export async function databasesOn(url: string, signal: AbortSignal, tries?: number): Promise<NotedDatabase[]> {
  const endpoint = serverEndpoint(url);
  if (endpoint === undefined) throw new Error("the url is not one of a ClickHouse server's HTTP interface");
  const rows = await new ClickHouseServer(endpoint, signal, tries).rows("look for databases", NOTED_DATABASES);
  return rows.flatMap(({ name, comment }) => notedDatabase(String(name), String(comment)) ?? []);
}

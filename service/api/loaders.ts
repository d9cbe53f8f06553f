import DataLoader from "dataloader";
import type { Backend } from "./backend";
import type { Loaders } from "./context";

const NONE = { nodes: [], cursors: [], hasNextPage: false, hasPreviousPage: false, totalCount: 0 };

/** Loads the row of each deployment, if it has one. */
const byDeployment = <Row extends { readonly deploymentId: string }>(
  read: (deployments: readonly string[]) => Promise<readonly Row[]>,
): DataLoader<string, Row | undefined> =>
  new DataLoader(async (ids) => {
    const rows = new Map((await read(ids)).map((row) => [row.deploymentId, row]));
    return ids.map((id) => rows.get(id));
  });

/** The parent field has already checked the tenant. */
export function loadersOf({ reads, fleet }: Backend): Loaders {
  return {
    deployment: new DataLoader(async (ids) => {
      const rows = new Map((await reads.deploymentsById(ids)).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    }),
    operations: new DataLoader(
      async (keys) => {
        const groups = Map.groupBy(keys, ({ first }) => first);
        const pages = await Promise.all(
          [...groups].map(async ([first, group]) => {
            const found = await reads.operationsOf([...new Set(group.map(({ deployment }) => deployment))], first);
            return [first, found] as const;
          }),
        );
        const pagesBy = new Map(pages);
        return keys.map(({ deployment, first }) => pagesBy.get(first)?.get(deployment) ?? NONE);
      },
      { cacheKeyFn: ({ deployment, first }) => `${first ?? ""} ${deployment}` },
    ),
    newestOperation: byDeployment((ids) => reads.newest(ids)),
    stages: new DataLoader(async (ids) => {
      const rows = Map.groupBy(await reads.stages(ids), ({ operationId }) => operationId);
      return ids.map((id) => rows.get(id) ?? []);
    }),
    health: byDeployment((ids) => reads.health(ids)),
    drift: byDeployment((ids) => fleet.drift(ids)),
    revisions: new DataLoader((platforms) => Promise.all(platforms.map((name) => reads.revisions(name)))),
    lifetime: new DataLoader(async (ids) => {
      const views = await reads.lifetimes(ids);
      return ids.map((id) => views.get(id));
    }),
  };
}

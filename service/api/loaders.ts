import DataLoader from "dataloader";
import type { Backend } from "./backend";
import type { Loaders } from "./context";

/** The parent field has already checked the tenant. */
export function loadersOf({ reads, fleet }: Backend): Loaders {
  return {
    deployment: new DataLoader(async (ids) => {
      const rows = new Map((await reads.deploymentsById(ids)).map((row) => [row.id, row]));
      return ids.map((id) => rows.get(id));
    }),
    newestOperation: new DataLoader(async (ids) => {
      const rows = new Map((await reads.newest(ids)).map((row) => [row.deploymentId, row]));
      return ids.map((id) => rows.get(id));
    }),
    stages: new DataLoader(async (ids) => {
      const rows = Map.groupBy(await reads.stages(ids), ({ operationId }) => operationId);
      return ids.map((id) => rows.get(id) ?? []);
    }),
    health: new DataLoader(async (ids) => {
      const rows = new Map((await reads.health(ids)).map((row) => [row.deploymentId, row]));
      return ids.map((id) => rows.get(id));
    }),
    drift: new DataLoader(async (ids) => {
      const rows = new Map((await fleet.drift(ids)).map((row) => [row.deploymentId, row]));
      return ids.map((id) => rows.get(id));
    }),
  };
}

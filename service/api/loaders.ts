import DataLoader from "dataloader";
import type { Reads } from "./backend";
import type { Loaders } from "./context";

/** Whose things these are, the fields above have asked. */
export function loadersOf(reads: Reads): Loaders {
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
  };
}

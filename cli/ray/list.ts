import type { Context } from "../context";
import { clustersOf, endpoints } from "./clusters";
import { StackFile } from "../../engine/stack/file";
import { table } from "../terminal/table";
import type { RayListOptions } from "./options";

export async function listRayClusters(context: Context, { stack, json }: RayListOptions): Promise<void> {
  const [file, running] = await Promise.all([StackFile.read(context.root, stack), endpoints(context.platforms, stack)]);
  const clusters = clustersOf(file, running);
  if (json) return context.print(JSON.stringify(clusters, null, 2));
  if (clusters.length === 0) return context.print(`the platform ${stack} has no Ray clusters`);
  const columns = ["NAME", "MODE", "STATE", "RAY", "NAMESPACE", "ADDRESS"];
  const rows = clusters.map(({ name, mode, state, endpoint }) => [
    name,
    mode,
    state,
    endpoint?.rayVersion ?? "",
    endpoint?.namespace ?? "",
    endpoint?.address ?? "",
  ]);
  context.print(table(columns, rows));
}

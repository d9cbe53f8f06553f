import { readFileSync, rmSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import { Client } from "pg";
import { folderOfUrl } from "../../../engine/backend/fileUrl";
import type { Bed } from "../bed";

/** Every table with rows per deployment, with the columns that contain an operation's id. */
const COPIES: readonly string[] = [
  `insert into deployment
   select (jsonb_populate_record(null::deployment, replace(to_jsonb(deployment)::text, $1, $2)::jsonb)).*
   from deployment where id = $1`,
  `insert into operation (id, deployment_id, tenant, kind, state, change, revision, stage, attempts, message, requested_by,
     requested_at, started_at, ended_at, result)
   select gen_random_uuid(), $2, tenant, kind, state, change, revision, stage, attempts, message, requested_by,
     requested_at, started_at, ended_at, replace(result::text, $1, $2)::jsonb
   from operation where deployment_id = $1`,
  `insert into stage (operation_id, number, name, state, attempts, started_at, ended_at)
   select copy.id, number, name, stage.state, stage.attempts, stage.started_at, stage.ended_at
   from stage join operation on operation.id = operation_id and deployment_id = $1
   join operation copy on copy.deployment_id = $2`,
  `insert into event (operation_id, at, kind, text, data)
   select copy.id, at, event.kind, replace(text, $1, $2), replace(data::text, $1, $2)::jsonb
   from event join operation on operation.id = operation_id and deployment_id = $1
   join operation copy on copy.deployment_id = $2`,
];

/**
 * Creates deployments as copies of `pattern`: all its rows in the service's database, and the state of its stack. Their
 * objects are not created in the cluster, which does not affect the service.
 */
export async function copyDeployments(
  bed: Bed,
  databaseUrl: string,
  pattern: string,
  count: number,
): Promise<{ readonly remove: () => void }> {
  const folder = path.join(folderOfUrl(bed.yard.env.PULUMI_BACKEND_URL ?? "", bed.root), ".pulumi", "stacks");
  const fileOf = (id: string): string => path.join(folder, "stackyard-runtime", `${id}.json`);
  const state = readFileSync(fileOf(pattern), "utf8");
  const ids = Array.from({ length: count }, (_, index) => `bench-there-${index}`);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin");
    // Disables triggers, which would send a notification for each copied event.
    await client.query("set local session_replication_role = replica");
    for (const id of ids) {
      for (const copy of COPIES) await client.query(copy, [pattern, id]);
      writeFileSync(fileOf(id), state.replaceAll(pattern, id));
    }
    await client.query("commit");
  } finally {
    await client.end();
  }
  return { remove: () => ids.forEach((id) => rmSync(fileOf(id), { force: true })) };
}

import type { Workspace } from "../../foundation/pulumi/backend";
import { sql } from "kysely";
import { forgetIfEmpty } from "../../engine/runtime/create";
import type { Database } from "../database/database";
import { Deadline } from "../../engine/workers/deadline";

/** Time in which the engine of a preview has ended, also if its process is stopped. It includes the wait for a worker. */
const PREVIEW_MS = 300_000;

/** The preview of a new deployment, recorded until its stack is removed. */
export interface PreviewNote {
  readonly id: string;
  readonly deadline: Deadline;
}

export async function notePreview(database: Database, deploymentId: string): Promise<PreviewNote> {
  // From before the note, so that it never ends later.
  const deadline = new Deadline(PREVIEW_MS);
  const until = sql<Date>`now() + ${PREVIEW_MS / 1000} * interval '1 second'`;
  const note = await database
    .insertInto("preview")
    .values({ deploymentId, until })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { ...note, deadline };
}

export async function endPreview(database: Database, { id }: Pick<PreviewNote, "id">): Promise<void> {
  await database.deleteFrom("preview").where("id", "=", id).execute();
}

/** Removes the stacks that killed previews left. What has become of a stack meanwhile, as a deployment's, stays. */
export async function forgetPreviews(database: Database, workspace: Workspace): Promise<void> {
  const others = sql<boolean>`exists (
    select from preview other where other.deployment_id = preview.deployment_id and other.until > now()
  )`;
  const isKnown = sql<boolean>`exists (
    select from deployment where deployment.id = preview.deployment_id and deleted_at is null
  )`;
  const left = await database
    .selectFrom("preview")
    .select(["id", "deploymentId", isKnown.as("isKnown")])
    .where(sql<boolean>`not ${others}`)
    .execute();
  for (const note of left) {
    if (!note.isKnown) await forgetIfEmpty(note.deploymentId, { runtimes: workspace, keepFile: true });
    await endPreview(database, note);
  }
}

/** Server-side dry runs, to check whether the API server would accept an object. */

import { randomBytes } from "node:crypto";
import { ApiError } from "../client/apiError";
import type { Warn } from "../client/options";
import { refOf, type KubeObject, type Ref } from "../objects/objects";
import type { Work } from "../work/work";

type Trial = Pick<Work, "client" | "unknown">;

/** Whether only the real request can show it: an admission webhook supports no dry runs, or the user may not try it. */
export const isWithoutDryRun = (error: unknown, { unknown }: Pick<Work, "unknown">, ref?: Ref): boolean =>
  (error instanceof ApiError && error.code === 400 && /does not support dry run/.test(error.message)) ||
  unknown?.note(error, ref) === true;

export async function dryRun(work: Trial, object: KubeObject, warn?: Warn): Promise<void> {
  try {
    await work.client.apply(object, { dryRun: true, warn });
    work.unknown?.noteWrite();
  } catch (error) {
    if (!isWithoutDryRun(error, work, refOf(object))) throw error;
  }
}

/**
 * Checks that an object can be recreated before the old one is deleted. The dry run uses another name. Errors about one
 * more object, such as an exceeded quota, are ignored.
 */
export async function dryRunCreation(work: Trial, object: KubeObject): Promise<void> {
  const name = `dry-run-${randomBytes(6).toString("hex")}`;
  try {
    await dryRun(work, { ...object, metadata: { ...object.metadata, name } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 422 && error.code !== 400) return;
    const said = error.message.replaceAll(name, object.metadata.name);
    throw new ApiError(said, error.code, error.reason, error.causes, error.about);
  }
}

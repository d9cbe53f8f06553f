/** Server-side dry runs, to check whether the API server would accept an object. */

import { randomBytes } from "node:crypto";
import { ApiError } from "../client/apiError";
import type { Client } from "../client/client";
import type { Warn } from "../client/options";
import type { KubeObject } from "../objects/objects";

/** Whether an admission webhook rejected the dry run as such. */
export const isWithoutDryRun = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 400 && /does not support dry run/.test(error.message);

export async function dryRun(client: Client, object: KubeObject, warn?: Warn): Promise<void> {
  try {
    await client.apply(object, { dryRun: true, warn });
  } catch (error) {
    // A webhook with side effects does not support dry runs; only the real request can fail.
    if (isWithoutDryRun(error)) return;
    throw error;
  }
}

/**
 * Checks that an object can be recreated before the old one is deleted. The dry run uses another name. Errors about one
 * more object, such as an exceeded quota, are ignored.
 */
export async function dryRunCreation(client: Client, object: KubeObject): Promise<void> {
  const name = `dry-run-${randomBytes(6).toString("hex")}`;
  try {
    await dryRun(client, { ...object, metadata: { ...object.metadata, name } });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 422 && error.code !== 400) return;
    const said = error.message.replaceAll(name, object.metadata.name);
    throw new ApiError(said, error.code, error.reason, error.causes, error.about);
  }
}

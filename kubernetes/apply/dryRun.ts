/** Applies without keeping anything, to see whether it would be accepted. */

import { randomBytes } from "node:crypto";
import { ApiError } from "../client/apiError";
import type { Client } from "../client/client";
import type { Warn } from "../client/options";
import type { KubeObject } from "../client/objects";

/** An admission webhook refuses to do dry runs. */
export const isWithoutDryRun = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 400 && /does not support dry run/.test(error.message);

export async function dryRun(client: Client, object: KubeObject, warn?: Warn): Promise<void> {
  try {
    await client.apply(object, { dryRun: true, warn });
  } catch (error) {
    // An admission webhook with side effects; only the real request shows it.
    if (isWithoutDryRun(error)) return;
    throw error;
  }
}

/**
 * An object that is to be recreated must not turn out to be wrong when the old one is gone. Tried under another name;
 * what is said against one more of them, such as a quota, says nothing.
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

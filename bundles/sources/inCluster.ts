/** Access of sources to a cluster. */

import type { SourceOf } from "../../foundation/bundleSources";
import { ApiError, UnreachableError } from "../../kubernetes/client/apiError";
import type { Client } from "../../kubernetes/client/client";
import { connect } from "../../kubernetes/connect/connect";
import { Refused, Unavailable } from "../errors";

/** Where a source reads: by default in the cluster that this program runs in, as the kubeconfig's user. */
export type SourceCluster = Pick<SourceOf<"configMaps">, "kubeconfig" | "context" | "as">;

/** Whether a text is a valid name of an object or namespace, and so safe in a URL. */
export const isName = (text: string): boolean => /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(text);

/** Throws {@link Refused} for an invalid kubeconfig, Unavailable for errors of the cluster. */
export async function inCluster<T>(
  { kubeconfig, context, as }: SourceCluster,
  signal: AbortSignal | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  let client: Client;
  try {
    client = connect(kubeconfig, context, { signal });
    if (as !== undefined) client = client.as({ user: as });
  } catch (cause) {
    throw new Refused(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof ApiError || error instanceof UnreachableError)
      throw new Unavailable(error.message, false, { cause: error });
    throw error;
  }
}

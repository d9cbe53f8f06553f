import type { Client } from "../client/client";
import { unlessForbidden } from "../client/lookUp";

/** A revision of a Helm release. */
export interface Revision {
  readonly number: number;
  /** `deployed`, `failed`, `superseded`, … */
  readonly status: string;
}

/** Helm keeps a Secret for each revision. Empty if the release is gone; undefined if the user may not list Secrets. */
export async function revisionsOf(
  client: Client,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Promise<Revision[] | undefined> {
  const kept = client.list(
    { apiVersion: "v1", kind: "Secret", namespace },
    { label: `owner=helm,name=${name}`, metadataOnly: true },
  );
  return (await unlessForbidden(kept))?.map(({ metadata: { labels = {} } }) => ({
    number: Number(labels["version"]),
    status: labels["status"] ?? "unknown",
  }));
}

/** The record of a Shoot's owner, which is in its annotations and is written together with each change. */

import type { Client } from "../client/client";
import { describe, versionOf, type KubeObject } from "../objects/objects";
import { recordOn, withRecord, type Details } from "../owners/annotations";
import { OwnerError, ownerText } from "../owners/judge";
import { isSameChange, type OwnerRecord } from "../owners/record";
import { despiteConflicts, shootRefOf } from "./write";

/**
 * Changes the Shoot whose record the caller has written. Throws if another process has written one since: then this
 * process is not the owner any more.
 */
export async function whileOwned(
  client: Client,
  first: KubeObject,
  written: OwnerRecord | undefined,
  change: (live: KubeObject) => Promise<KubeObject>,
): Promise<KubeObject> {
  let live: KubeObject | undefined = first;
  return despiteConflicts(async () => {
    live ??= await client.get(shootRefOf(first));
    const now = live && recordOn(live);
    if (live === undefined || live.metadata.uid !== first.metadata.uid || !isSameChange(now, written)) {
      throw new OwnerError(superseded(first, now));
    }
    const known = live;
    live = undefined; // After a conflict it is read again.
    return change(known);
  });
}

/** Writes a record and nothing else. */
export async function writeRecord(
  client: Client,
  live: KubeObject,
  record: OwnerRecord,
  details: Details,
): Promise<KubeObject> {
  const { labels, annotations = {} } = withRecord(live, record, details).metadata;
  const gone = Object.keys(live.metadata.annotations ?? {}).filter((key) => annotations[key] === undefined);
  const removed = Object.fromEntries(gone.map((key) => [key, null]));
  const metadata = { ...versionOf(live), labels, annotations: { ...annotations, ...removed } };
  return client.merge(shootRefOf(live), { metadata });
}

const superseded = (shoot: KubeObject, now: OwnerRecord | undefined): string =>
  `${describe(shootRefOf(shoot))} was changed by another process during this update: ` +
  (now === undefined ? "it was deleted, or its record of the owner was" : `it belongs to ${ownerText(now)}`) +
  ". Run the update again; it says who the owner is";

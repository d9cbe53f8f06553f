/** Reads the objects of a release's inventory. */

import type { Client } from "../../../../kubernetes/client/client";
import type { LookUpOptions } from "../../../../kubernetes/client/lookUp";
import { ownerIdOn, withOwnerId } from "../../../../kubernetes/identity/ownerId";
import { inventoryKey, without, type KubeObject, type Metadata } from "../../../../kubernetes/objects/objects";
import type { ReleaseKey } from "../applySet";
import type { Recorded } from "../state";
import type { Member } from "../wanted/member";
import { isAsApplied } from "./asApplied";
import { lookAtOwn, memberRef } from "./live";

interface Looked {
  /** Metadata by identity, without managed fields; missing objects are not in it. */
  readonly found: ReadonlyMap<string, KubeObject>;
  /** Keys of the objects that are certainly as they were applied. Others may be too. */
  readonly asApplied: ReadonlySet<string>;
}

/** `members`: by inventory key; undefined if the content is not known. `skip`: see {@link LookUpOptions}. */
export async function lookAtRecorded(
  client: Client,
  owner: ReleaseKey,
  records: readonly Recorded[],
  members: ReadonlyMap<string, Member> | undefined,
  skip?: LookUpOptions["skip"],
): Promise<Looked> {
  const asApplied = new Set<string>();
  const keep = (live: KubeObject): KubeObject => {
    const key = inventoryKey(memberRef(live));
    const member = members?.get(key);
    if (member && isAsApplied(live, withOwnerId(member.object, ownerIdOn(live)))) asApplied.add(key);
    const metadata = without(live.metadata, "managedFields") as Metadata;
    return { apiVersion: live.apiVersion, kind: live.kind, metadata };
  };
  const refs = records.map(({ ref }) => ref);
  return { found: await lookAtOwn(client, refs, owner, { skip, keep }), asApplied };
}

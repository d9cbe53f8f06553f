/** Refresh: finds missing objects and drift. */

import type { Context } from "../../../foundation/pulumi/resource";
import { ApiError } from "../../../kubernetes/client/apiError";
import type { Client } from "../../../kubernetes/client/client";
import { at, describe, identity, isList, type KubeObject, type Ref } from "../../../kubernetes/objects/objects";
import { ownerIdOf } from "../../../kubernetes/identity/ownerId";
import { requireCluster } from "../../../kubernetes/identity/recordedCluster";
import { forAll } from "../../../kubernetes/client/pool";
import { Unknown } from "../../../kubernetes/work/unknown";
import type { Work } from "../../../kubernetes/work/work";
import { FormatError, Refused, Unavailable } from "../../../bundles/errors";
import { setStatus, isMember } from "./applySet";
import { openRelease } from "./applyRelease";
import { appliedInputs, type Earlier } from "./earlier";
import { changedPaths } from "../../../kubernetes/drift/truth";
import { fieldChanges } from "../../../kubernetes/drift/fieldChanges";
import type { ReleaseInputs } from "./inputs";
import { overlaid } from "./live/revised";
import { liveParent } from "./live/live";
import { lookAtRecorded } from "./live/recorded";
import type { Member } from "./wanted/member";
import { releaseClaimant } from "./ownership/claimant";
import { ownedByText, tenancyOf } from "./ownership/tenancy";
import { recordsOf, type Recorded } from "./state";
import { wantedMembers } from "./wanted/wanted";

/** Undefined if no object of the release exists. */
export async function readRelease(
  context: Context,
  id: string,
  { inputs: given, state }: Earlier,
): Promise<Earlier | undefined> {
  if (!isList(given?.sources) || typeof given.name !== "string") {
    throw new Error(
      `a BundleRelease can't be imported (${id}): its content comes from its sources. Run pulumi up; objects that exist ` +
        "already are taken over when they are in adopt",
    );
  }
  const inputs: ReleaseInputs = { ...appliedInputs({ inputs: given, state }), drift: undefined };
  const work = openRelease(context, inputs);
  await requireCluster(context, inputs, state);
  const note = await liveParent(work.client, inputs);
  const { record, verdict } = tenancyOf(
    context,
    inputs,
    releaseClaimant(context, ownerIdOf(context.urn, id, state), state),
    note,
  );
  if (record && (verdict === "foreign" || verdict === "taken")) {
    work.log("warning", `${work.title} ${ownedByText(record)}. The state of this stack stays as it is`);
    return { inputs: given, state };
  }
  const records = recordsOf(state);
  // Called only if objects exist: a release that is gone completely needs no content.
  const content = await contentMembers(work, inputs, { inputs, state }).then(
    (members) => ({ members }),
    (error: unknown) => ({ members: undefined, error }),
  );
  const { members } = content;
  const unknown = new Unknown(inputs.as);
  const unread = new Set<string>();
  const skip = (error: unknown, ref: Ref): boolean => unknown.note(error) && unread.add(identity(ref)).size > 0;
  const { found, asApplied } = await lookAtRecorded(work.client, inputs, records, members, skip);
  const isLive = ({ ref }: Recorded): boolean => {
    const live = found.get(identity(ref));
    return unread.has(identity(ref)) || (live !== undefined && isMember(live, inputs));
  };
  const hasRun = ({ ref, key }: Recorded): boolean => !found.has(identity(ref)) && isSpent(members?.get(key));
  // Its own note proves that it was applied here, so what is missing is drift.
  if (note === undefined && records.some((each) => !hasRun(each)) && !records.some(isLive)) return undefined;
  const isThere = (record: Recorded): boolean => isLive(record) || hasRun(record);
  const there = records.filter(isThere);
  if ("error" in content && there.length > 0) throw content.error;
  const drift = records.filter((record) => !isThere(record)).map(({ ref }) => `${describe(ref)} is missing`);
  const { toward } = setStatus(note);
  if (toward !== undefined) drift.push(`an update to ${toward} did not come to its end`);
  const kept = await forAll(there, async (record): Promise<Recorded> => {
    const member = members?.get(record.key);
    const isSame =
      !member || member.once || unread.has(identity(record.ref)) || asApplied.has(record.key) || hasRun(record);
    const fields = isSame ? [] : await changedFields({ client: work.client, unknown }, member);
    if (fields.length === 0) return record;
    drift.push(`${describe(record.ref)}: ${fields.slice(0, 5).join(", ")}${fields.length > 5 ? " and more" : ""}`);
    return { ...record, fingerprint: "" };
  });
  unknown.log(work.log);
  const now: ReleaseInputs = { ...inputs, drift: drift.length === 0 ? undefined : drift.sort() };
  return {
    inputs: now,
    state: {
      ...state,
      ...now,
      // What a newer state has recorded was compared with the cluster, so this state is as new.
      ...(record && { generation: Math.max(record.generation, state.generation ?? 0) }),
      inventory: kept.map(({ key }) => key),
      fingerprints: kept.map(({ fingerprint }) => fingerprint),
    },
  };
}

/** A Job with a TTL is missing because it has finished. */
export const isSpent = (member: Pick<Member, "object"> | undefined): boolean =>
  member?.object.kind === "Job" && at(member.object, "spec", "ttlSecondsAfterFinished") !== undefined;

/** Members by inventory key; undefined if the content is unavailable now. */
async function contentMembers(
  work: Work,
  inputs: ReleaseInputs,
  earlier: Earlier,
): Promise<Map<string, Member> | undefined> {
  try {
    const members = await wantedMembers(work, inputs, earlier);
    return new Map(members.map((member) => [member.key, member]));
  } catch (error) {
    if (![Refused, Unavailable, FormatError].some((kind) => error instanceof kind) || !(error instanceof Error))
      throw error;
    work.log("warning", `${error.message}; so it was only looked whether the objects are there`);
    return undefined;
  }
}

interface Looking {
  readonly client: Client;
  readonly unknown: Unknown;
}

/** Fields that applying the object again would change. */
async function changedFields(looking: Looking, { object, ref }: Member): Promise<string[]> {
  const live = await looking.client.get(ref);
  if (!live) return ["it is missing"];
  const next = await again(looking, object, live);
  return next === undefined ? ["it can't be applied again"] : fieldChanges(live, next).map(({ path }) => path);
}

async function again(
  { client, unknown }: Looking,
  object: KubeObject,
  live: KubeObject,
): Promise<KubeObject | undefined> {
  try {
    return await client.apply(object, { dryRun: true });
  } catch (error) {
    if (unknown.note(error)) return changedPaths(live, object).length === 0 ? live : overlaid(live, object);
    if (error instanceof ApiError && error.code < 500 && error.code !== 401 && error.code !== 429) return undefined;
    throw error;
  }
}

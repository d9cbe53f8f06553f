/** Finds the objects of a release that differ from its content, and whether each may be restored. Changes nothing. */

import { ApiError, isFieldConflict } from "../../../../kubernetes/client/apiError";
import type { Client } from "../../../../kubernetes/client/client";
import { forAll } from "../../../../kubernetes/client/pool";
import { fieldChanges } from "../../../../kubernetes/drift/fieldChanges";
import { withOwnerId } from "../../../../kubernetes/identity/ownerId";
import { describe, identity, type KubeObject } from "../../../../kubernetes/objects/objects";
import type { Work } from "../../../../kubernetes/work/work";
import { applyRefusal, managersIn } from "../apply/apply";
import { groupKind, type Tenure } from "../applySet";
import type { ReleaseInputs } from "../inputs";
import { isByHand } from "../live/byHand";
import { lookAtRecorded } from "../live/recorded";
import { kindsDefinedBy } from "../live/revised";
import { claimOn } from "../ownership/ownership";
import type { Recorded } from "../state";
import type { Member } from "../wanted/member";
import { restorationOf, isRecreated, type Fate } from "./plan";

/** A member that differs. */
export interface Difference {
  readonly member: Member;
  readonly fate: Exclude<Fate, string>;
}

type Release = ReleaseInputs & { readonly tenure: Tenure };

const MOST_FIELDS = 5;

export async function differencesOf(
  work: Work,
  release: Release,
  records: readonly Recorded[],
  members: readonly Member[],
): Promise<readonly Difference[]> {
  const byKey = new Map(members.map((member) => [member.key, member]));
  const { found, asApplied } = await lookAtRecorded(work.client, release, records, byKey);
  const isUnreachable = lostWith(members, found);
  const differences = await forAll(records, async (record): Promise<Difference[]> => {
    const member = byKey.get(record.key);
    const live = found.get(identity(record.ref));
    const claim = live && claimOn(live, record.ref, release, []);
    const refused = typeof claim === "object" ? claim.refused : undefined;
    const fate = restorationOf({
      record,
      member,
      live,
      isAsApplied: refused === undefined && asApplied.has(record.key),
      refused,
    });
    if (member === undefined || fate === "same") return [];
    if (fate === "compare") return compared(work, release, member);
    const why = isUnreachable(member);
    return [{ member, fate: why !== undefined && "repair" in fate ? { leave: why } : fate }];
  });
  return differences.flat();
}

/** Why a missing object can't be restored before its namespace or its kind is. */
function lostWith(
  members: readonly Member[],
  found: ReadonlyMap<string, KubeObject>,
): (member: Member) => string | undefined {
  const lost = members.filter(({ ref }) => !isRecreated(ref) && !found.has(identity(ref)));
  const namespaces = new Set(lost.flatMap(({ ref }) => (ref.kind === "Namespace" ? [ref.name] : [])));
  const kinds = kindsDefinedBy(lost.map(({ object }) => object));
  return ({ ref }) => {
    if (ref.namespace !== undefined && namespaces.has(ref.namespace))
      return `it is missing with its namespace ${ref.namespace}`;
    return kinds.has(groupKind(ref)) ? "it is missing with the definition of its kind" : undefined;
  };
}

/** Asks the API server what an apply would change, and whether fields are managed by others. */
async function compared({ client }: Work, { force, tenure }: Release, member: Member): Promise<Difference[]> {
  const object = withOwnerId(member.object, tenure.owner);
  const live = await client.get(member.ref);
  if (live === undefined) return []; // It was deleted just now; the next look decides.
  try {
    const next = await client.apply(object, { dryRun: true, force: true });
    const fields = fieldChanges(live, next).map(({ path }) => path);
    if (fields.length === 0) return [];
    const conflict = await conflictOf(() => client.apply(object, { dryRun: true, force: false }));
    const managers = conflict ? managersIn(conflict) : [];
    if (conflict && !force && !isByHand(conflict)) {
      return [{ member, fate: { leave: await refusal(client, conflict, member), managers } }];
    }
    const by = managers.length > 0 ? ` (changed by ${managers.join(", ")})` : "";
    const more = fields.length > MOST_FIELDS ? ` and ${fields.length - MOST_FIELDS} more` : "";
    return [{ member, fate: { repair: `${fields.slice(0, MOST_FIELDS).join(", ")}${more}${by}`, managers } }];
  } catch (error) {
    if (!(error instanceof ApiError) || error.code >= 500 || error.code === 401 || error.code === 429) throw error;
    return [{ member, fate: { leave: await refusal(client, error, member) } }];
  }
}

/** Without the object, which the report names. */
async function refusal(client: Client, error: ApiError, member: Member): Promise<string> {
  const text = await applyRefusal(client, error, { ...member, there: true });
  return text.replace(`${describe(member.ref)}: `, "");
}

async function conflictOf(work: () => Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isFieldConflict(error)) return error;
    throw error;
  }
}

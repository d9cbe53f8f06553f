/** Checks the live objects for conflicts with members that are to be applied. Changes nothing. */

import { describe, identity, type KubeObject, type Ref } from "../../../../kubernetes/objects/objects";
import type { Work } from "../../../../kubernetes/work/work";
import { FaultsError } from "../../../../kubernetes/work/faults";
import { crdProblems, type Replaced } from "../../../../bundles/crdSafety/inCluster";
import type { Task } from "./apply";
import { makerText } from "../ownership/adopt";
import { groupKind, type Tenure } from "../applySet";
import type { ReleaseInputs } from "../inputs";
import { rulesOf, type Rules } from "../../../../bundles/rules/rule";
import { lookAt } from "../live/live";
import type { Member } from "../wanted/member";
import { claimOn, otherBundle, type Claim } from "../ownership/ownership";
import { mayReplace } from "./replace";
import { kindsDefinedBy } from "../live/revised";

/** What the survey needs to know besides the members. */
interface Circumstances {
  /** The instances whose objects are the release's own. */
  readonly tenure: Tenure;
  /** Keys of objects with drift. */
  readonly drifted: ReadonlySet<string>;
  /** What a rollback returns the release's objects to. Losing what only the failed content added is no fault. */
  readonly back?: Replaced;
}

/** Throws all faults at once, before anything is changed. */
export async function survey(
  work: Work,
  members: readonly Member[],
  release: ReleaseInputs,
  { tenure, drifted, back = new Map() }: Circumstances,
): Promise<Task[]> {
  const namespaces = new Set(members.flatMap(({ needs, ref }) => (needs === "namespace" ? [ref.namespace ?? ""] : [])));
  const found = await lookAt(
    work.client,
    [...namespaces].map((name) => ({ ...NAMESPACE, name })),
  );
  /** A namespace that does not exist yet is empty, and its objects can't be queried. */
  const isToCome = ({ needs, ref }: Member): boolean =>
    needs === "namespace" && !isThere(found.get(identity({ ...NAMESPACE, name: ref.namespace ?? "" })));
  const askable = members.filter((member) => member.needs !== "kind" && !isToCome(member));
  for (const [key, live] of await lookAt(work.client, refsOf(askable))) found.set(key, live);
  const adopted: (readonly [string, string])[] = [];
  const replaced = new Set(release.replace);
  const faults: string[] = [];
  const rules = await readRules(members, faults);
  const kinds = kindsDefinedBy(members.map(({ object }) => object));
  const tasks = members.map((one): Task => {
    const needs = one.needs === "namespace" && !isToCome(one) ? undefined : one.needs;
    const revised = needs !== "kind" && kinds.has(groupKind(one.ref));
    const claim = (live: KubeObject): Claim => claimOn(live, one.ref, { ...release, tenure }, release.adopt);
    const foreign = (live: KubeObject): string | undefined => refusedBy(claim(live));
    const member = { ...one, needs, rules: rules.get(one.key), revised, foreign, restore: drifted.has(one.key) };
    const may = mayReplace(member.object, member.ref, replaced);
    if (typeof may === "object") faults.push(`${member.place}: ${may.fault}`);
    const replace = may === true;
    const live = found.get(identity(member.ref));
    if (!live) return { ...member, force: release.force, replace, there: false, seen: undefined, leaving: undefined };
    const claimed = claim(live);
    const refused = refusedBy(claimed);
    if (refused !== undefined) faults.push(`${member.place}: ${refused}`);
    if (claimed === "adopted") adopted.push([holderText(live), describe(member.ref)]);
    const leaving = live.metadata.deletionTimestamp === undefined ? undefined : live;
    // Adopting an object includes the fields of its former manager.
    return {
      ...member,
      force: release.force || claimed === "adopted",
      replace,
      there: !leaving,
      seen: leaving ? undefined : live,
      leaving,
    };
  });
  faults.push(...(await brokenBy(work, tasks, release, back)));
  if (faults.length > 0) throw new FaultsError("nothing was changed", faults);
  logAdopted(work, adopted);
  return tasks;
}

const refusedBy = (claim: Claim): string | undefined => (typeof claim === "object" ? claim.refused : undefined);

/** The former owner, for messages. */
function holderText(live: KubeObject): string {
  const bundle = otherBundle(live.metadata.labels ?? {});
  return bundle === undefined ? makerText(live) : `bundle ${bundle}`;
}

/** Logs adopted objects by their former manager, which may still delete them. */
function logAdopted({ log }: Work, adopted: readonly (readonly [string, string])[]): void {
  for (const maker of new Set(adopted.map(([from]) => from))) {
    const titles = adopted.flatMap(([from, title]) => (from === maker ? [title] : []));
    const lines = titles.map((title) => `  ${title}`);
    log("info", [`takes over from ${maker}, which must no longer manage it (${titles.length}):`, ...lines].join("\n"));
  }
}

const NAMESPACE = { apiVersion: "v1", kind: "Namespace" };

const refsOf = (members: readonly Member[]): Ref[] => members.map(({ ref }) => ref);

const isThere = (live: KubeObject | undefined): boolean =>
  live !== undefined && live.metadata.deletionTimestamp === undefined;

/** Returns which existing objects the changed CustomResourceDefinitions would break. */
async function brokenBy(
  { client, log }: Work,
  tasks: readonly Task[],
  release: ReleaseInputs,
  back: Replaced,
): Promise<readonly string[]> {
  const changed = tasks.filter(({ there }) => there).map(({ object }) => object);
  const advice = (names: readonly string[]): string => `allowCrdChanges: ${JSON.stringify(names)}`;
  const { problems, notes } = await crdProblems(client, changed, release.allowCrdChanges, advice, back);
  for (const note of notes) log("info", note);
  return problems;
}

/** Readiness rules by key, for members that have any. Adds faults to `faults`. */
async function readRules(members: readonly Member[], faults: string[]): Promise<Map<string, Rules>> {
  const all = new Map<string, Rules>();
  for (const { key, object, place } of members) {
    const found = await rulesOf(object);
    if (!found) continue;
    all.set(key, found.rules);
    faults.push(...found.faults.map((fault) => `${place}: ${fault}`));
  }
  return all;
}

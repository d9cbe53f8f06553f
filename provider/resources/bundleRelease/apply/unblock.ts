/** Removes or changes objects of a release that reject its own update, such as a webhook whose pods are gone. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../../../kubernetes/client/apiError";
import { groupOf, isCore, namesOf, type Ref } from "../../../../kubernetes/objects/objects";
import { FaultsError } from "../../../../kubernetes/work/faults";
import type { Member } from "../wanted/member";
import type { Task } from "./apply";
import type { Work } from "../../../../kubernetes/work/work";

/** Groups of kinds that let the API server reject objects, besides quotas and limits. */
const REJECTING = /^(admissionregistration\.k8s\.io|(policies\.)?kyverno\.io|.*\.gatekeeper\.sh)$/;

const mayReject = (ref: Ref): boolean =>
  REJECTING.test(groupOf(ref.apiVersion)) || isCore(ref, "ResourceQuota") || isCore(ref, "LimitRange");

/** The messages of admission plugins: webhooks, admission policies, quotas, limits. */
const REJECTED = new RegExp(
  [
    ...["failed calling webhook", "admission webhook .* (denied|attempted)", "policy .* denied request"],
    ...["(exceeded|failed|unknown for) quota", "(max|min)imum [\\w./-]+ usage per", "max limit to request ratio per"],
  ].join("|"),
  "i",
);

const isRejected = (error: unknown): error is Error =>
  (error instanceof ApiError || error instanceof FaultsError) && REJECTED.test(error.message);

/** The API server needs a moment to see that a policy is gone or another. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 200;

/** Objects of a release that may be why the API server rejects its update. */
interface Blockers {
  /** What leaves the release. */
  readonly leaving: readonly Ref[];
  /** What is there and changes. */
  readonly changing: readonly Task[];
  /** What is there and stays as it is. */
  readonly staying: readonly Ref[];
  readonly remove: (refs: readonly Ref[]) => Promise<void>;
  readonly apply: (tasks: readonly Task[]) => Promise<void>;
}

export function blockersOf(
  members: readonly Member[],
  tasks: readonly Task[],
  leaves: readonly Ref[],
): Pick<Blockers, "leaving" | "changing" | "staying"> {
  const changed = new Set(tasks.map(({ key }) => key));
  return {
    leaving: leaves.filter(mayReject),
    changing: tasks.filter(({ there, ref }) => there && mayReject(ref)),
    staying: members.filter(({ key, ref }) => !changed.has(key) && mayReject(ref)).map(({ ref }) => ref),
  };
}

/** Tries an update or a deletion, and if the API server rejects it, first removes and changes what may be the reason. */
export async function unblocked<T>(
  work: Work,
  { leaving, changing, staying, remove, apply }: Blockers,
  attempt: () => Promise<T>,
): Promise<T> {
  const changed = changing.map(({ ref }) => ref);
  const left = [...changed, ...staying];
  const gaveUp = (error: unknown): unknown => {
    if (isRejected(error) && left.length > 0)
      work.log(
        "info",
        `${namesOf(left)} of this bundle may be why: an update that changes or removes it does so first`,
      );
    return error;
  };
  try {
    return await attempt();
  } catch (error) {
    if (!isRejected(error) || leaving.length + changing.length === 0) throw gaveUp(error);
    const because = `first, because the API server rejected: ${error.message}`;
    if (leaving.length > 0) {
      work.log("info", `removes ${namesOf(leaving)} ${because}`);
      await remove(leaving);
    }
    if (changing.length > 0) {
      work.log("info", `applies ${namesOf(changed)} ${because}`);
      await apply(changing);
    }
  }
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS, undefined, { signal: work.signal })) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRejected(error) || Date.now() > deadline) throw gaveUp(error);
    }
  }
}

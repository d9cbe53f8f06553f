/** Removes objects of a release that reject its own update, such as a webhook whose pods are gone. */

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../../../kubernetes/client/apiError";
import { groupOf, isCore, namesOf, type Ref } from "../../../../kubernetes/objects/objects";
import { FaultsError } from "../../../../kubernetes/work/faults";
import type { Work } from "../../../../kubernetes/work/work";
import { removeMembers, type Removal } from "./remove";

/** Kinds that let the API server reject objects. */
const mayReject = (ref: Ref): boolean =>
  groupOf(ref.apiVersion) === "admissionregistration.k8s.io" || isCore(ref, "ResourceQuota");

const REJECTED = /failed calling webhook|admission webhook .* denied|ValidatingAdmissionPolicy|exceeded quota/;

const isRejected = (error: unknown): error is Error =>
  (error instanceof ApiError || error instanceof FaultsError) && REJECTED.test(error.message);

/** The API server needs a moment to see that a policy is gone. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 200;

/**
 * Tries, and if the API server rejects it, first removes what is going to leave the release anyway and may be the reason.
 * `removed` is called with what left.
 */
export async function unblocked<T>(
  work: Work,
  release: Removal,
  leaving: readonly Ref[],
  removed: (refs: readonly Ref[]) => void,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    const blockers = leaving.filter(mayReject);
    if (!isRejected(error) || blockers.length === 0) throw error;
    work.log("info", `removes ${namesOf(blockers)} first, because the update is rejected: ${error.message}`);
    await removeMembers(work, release, blockers, removed);
  }
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(PAUSE_MS, undefined, { signal: work.signal })) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRejected(error) || Date.now() > deadline) throw error;
    }
  }
}

/** Waits until Gardener is done with a Shoot, stage by stage. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Work } from "../../../kubernetes/work/work";
import type { KubeObject, Ref } from "../../../kubernetes/objects/objects";
import { judgeShoot, type Goal, type ShootVerdict } from "../../../kubernetes/gardener/judge";
import { OPERATION_ANNOTATION } from "../../../kubernetes/gardener/shoot";
import { STAGE_SECONDS, type Timeouts } from "./inputs";

const FIRST_PAUSE_MS = 100;
/** Gardener needs minutes, so polling more often is of no use. */
const LONGEST_PAUSE_MS = 5_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 300_000;

/** Handles a stage that failed. Returns false if it could not. */
export type Rescue = (verdict: ShootVerdict, shoot: KubeObject) => Promise<boolean>;

/**
 * Returns the Shoot when it is done; undefined if it is gone. Throws if Gardener fails permanently or a stage takes too
 * long.
 */
export async function untilSettled(
  work: Work,
  ref: Ref,
  goal: Goal,
  timeouts: Timeouts = {},
  rescue: Rescue = () => Promise.resolve(false),
): Promise<KubeObject | undefined> {
  let [stage, since, reported] = ["", Date.now(), ""];
  let [retryAt, retryPause] = [0, FIRST_RETRY_MS];
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)) {
    work.signal.throwIfAborted();
    const shoot = await work.client.get(ref);
    const verdict = judgeShoot(shoot, goal);
    if (verdict.state === "done") return shoot;
    if (verdict.stage !== stage) [stage, since] = [verdict.stage, Date.now()];
    const line = `stage: ${verdict.stage}: ${verdict.progress}`;
    if (line !== reported) work.log("status", (reported = line));
    if (verdict.state === "failed" && !(shoot && (await rescue(verdict, shoot)))) throw failure(work, verdict);
    const seconds = timeouts[verdict.stage] ?? STAGE_SECONDS[verdict.stage];
    if (Date.now() - since > seconds * 1000) throw tooLate(work, verdict, seconds);
    if (verdict.state === "retry" && shoot && Date.now() >= retryAt) {
      const { uid } = shoot.metadata;
      await work.client.merge(ref, { metadata: { uid, annotations: { [OPERATION_ANNOTATION]: "retry" } } });
      retryAt = Date.now() + retryPause;
      retryPause = Math.min(retryPause * 2, LONGEST_RETRY_MS);
    }
    await sleep(pause, undefined, { signal: work.signal });
  }
}

const failure = ({ title }: Work, verdict: ShootVerdict): Error =>
  new Error(`${title}: Gardener failed in stage ${verdict.stage}: ${detail(verdict)}`);

const tooLate = ({ title }: Work, verdict: ShootVerdict, seconds: number): Error =>
  new Error(`${title}: stage ${verdict.stage} is not done after ${seconds} seconds: ${detail(verdict)}`);

function detail({ progress, codes, advice }: ShootVerdict): string {
  const reason = codes.length > 0 ? ` (${codes.join(", ")})` : "";
  return `${progress}${reason}${advice === "" ? "" : `\n${advice}`}`;
}

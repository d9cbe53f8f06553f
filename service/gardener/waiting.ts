import { messageOf } from "../../foundation/errors";
import { ApiError } from "../../kubernetes/client/apiError";
import { judgeShoot, type Goal, type ShootVerdict } from "../../kubernetes/gardener/judge";
import type { KubeObject } from "../../kubernetes/objects/objects";
import { OperationError } from "../operations/error";
import { StageFailure } from "../operations/run/failure";
import type { Stage, StageContext, StageEnd } from "../operations/run/stage";
import type { Shoots } from "./shoots";

const FIRST_WAIT_MS = 1_000;
/** Gardener needs minutes; the Kyma Runtime Provisioner looks as often. */
const LONGEST_WAIT_MS = 20_000;

export interface Waiting {
  readonly name: ShootVerdict["stage"];
  readonly goal: Goal;
  readonly limitMs: number;
  /** If true, wait until Gardener is done, and don't continue when it reaches another stage. */
  readonly alone?: boolean;
  readonly shoots: Pick<Shoots, "of" | "watched" | "retry">;
  /** Handles a permanent failure of Gardener. Returns false if it could not. */
  readonly rescue?: (verdict: ShootVerdict, context: StageContext, shoot: KubeObject) => Promise<boolean>;
}

/**
 * Looks at a Shoot until Gardener is done with it. What a watch knows is enough to wait longer; before anything else
 * happens, the Shoot is read.
 */
export function waiting({ name, goal, limitMs, alone = false, shoots, rescue }: Waiting): Stage {
  return {
    name,
    limitMs,
    onlyLooks: true,
    async run(context): Promise<StageEnd> {
      const { deployment, limitMs: left, signal } = context;
      const pause = pauseAfter(limitMs - left);
      const known = await asked(shoots.watched(deployment));
      const before = known && judgeShoot(known, goal);
      if (before?.state === "waiting" && (alone || before.stage === name)) {
        return { end: "waits", afterMs: pause, because: before.progress };
      }
      const shoot = await asked(shoots.of(deployment, signal));
      const verdict = judgeShoot(shoot, goal);
      if (verdict.state === "done" || (!alone && verdict.state === "waiting" && verdict.stage !== name)) {
        return { end: "done" };
      }
      if (verdict.state === "failed" && !(shoot && (await rescue?.(verdict, context, shoot)))) {
        throw failed(verdict, false);
      }
      if (verdict.state === "retry") {
        if (shoot) await asked(shoots.retry(deployment, shoot));
        throw failed(verdict, true);
      }
      return { end: "waits", afterMs: pause, because: verdict.progress };
    },
  };
}

const RENEW =
  "Renew the kubeconfig of the provisioner, or the file that APP_GARDENER_KUBECONFIG_PATH names; the operation then continues";

/** Awaits a response of Gardener. Throws a retryable failure if there is none, or a refusal. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 0;
    const what = code >= 400 && code < 500 && code !== 429 ? "Gardener refuses a request" : "Gardener does not answer";
    const reason = `${what}: ${messageOf(error)}`;
    const advice = code === 401 || code === 403 ? RENEW : undefined;
    const parts = { reason, component: "gardener-api", retryable: true, ...(advice !== undefined && { advice }) };
    throw new StageFailure({ error: new OperationError("UNAVAILABLE", parts, { cause: error }), passes: true });
  }
}

/** Looks less often the longer the operation takes. */
const pauseAfter = (ms: number): number => Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, Math.round(ms / 4)));

function failed({ progress, codes, advice }: ShootVerdict, passes: boolean): StageFailure {
  const reason = `Gardener failed: ${progress}${codes.length > 0 ? ` (${codes.join(", ")})` : ""}`;
  const parts = { reason, component: "gardener", ...(advice !== "" && { advice }), retryable: true };
  return new StageFailure({ error: new OperationError("PROVISIONING_FAILED", parts), passes });
}

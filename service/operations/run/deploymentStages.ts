import { withoutUndefined } from "../../../foundation/json/withoutUndefined";
import type { Workspace } from "../../../foundation/pulumi/backend";
import { sql } from "kysely";
import type { EngineRecord } from "../../../foundation/process/engines";
import { allHoldersEnded, describeLock, type Lock } from "../../../engine/pulumi/engineLock";
import { BY_SERVICE } from "../../../components/runtime/record/record";
import { isProtectedIn, presentIn } from "../../../engine/runtime/request/recorded";
import { RUNTIME_PROJECT } from "../../../engine/stack/names";
import type { RuntimeChange, RuntimeConfig } from "../../../engine/stack/change";
import type { StackState } from "../../../engine/pulumi/state/checkpoint";
import { withStore } from "../../../engine/pulumi/state/store";
import { isNewUse } from "../../database/queries/lifetimes";
import type { DeploymentRow, OperationRow } from "../../database/tables";
import { KINDS, type OperationKind } from "../../kinds/kinds";
import type { EngineJob, EngineResult } from "../../../engine/workers/messages";
import { has } from "../desired";
import { SERVICE_ACTORS } from "../input";
import { mayDelete, protectedError } from "../limits/mayRequest";
import { configAfter } from "../queued";
import { classify } from "./classify";
import { brokenFailure, StageFailure } from "./failure";
import { changedSince, deployedState, expectBasis } from "./outcome";
import type { Stage, StageContext, StageEnd, StagePlace } from "./stage";

const LOOK_AGAIN_MS = 2_000;
/** Longer waits happen in the stage before, which occupies no worker. */
const WAIT_SECONDS = 5;

/** Waits while a user works on the stack by hand. Locks of the service itself and of dead processes don't count. */
export const settle: Stage = {
  name: "settle",
  onlyLooks: true,
  async run({ workspace, operation, deployment, database }) {
    const locks = await readLocks(workspace, operation.deploymentId);
    if (locks.length === 0 || allHoldersEnded(locks, await enginesOf(database, operation))) {
      await expectUnchanged({ workspace, database }, operation, deployment);
      return { end: "done" };
    }
    const because = `its stack is locked: ${locks.map(describeLock).join("; ")}`;
    return { end: "waits", afterMs: LOOK_AGAIN_MS, because };
  },
};

/** Throws before anything is changed if the deployment is protected, or is not as the request expects it. */
async function expectUnchanged(
  { workspace, database }: Pick<StagePlace, "workspace" | "database">,
  operation: OperationRow,
  { name, ...row }: DeploymentRow,
): Promise<void> {
  // A user may hibernate a protected deployment; nothing does by itself.
  const isByItself = operation.requestedBy === SERVICE_ACTORS.lifetime;
  const isForbidden = mayDelete(operation) || isByItself;
  if (!operation.guarded && !isForbidden) return;
  const id = operation.deploymentId;
  const state = await readState(workspace, id);
  // Protected since the request, or by the command line.
  if (isForbidden && (row.protected || (state && isProtectedIn(state)))) throw protectedError(name, operation);
  const has = deployedState(state, id);
  if (operation.guarded) expectBasis(operation, has);
  // Somebody who wakes and hibernates it by the command line leaves the same config.
  if (isByItself && has?.usedAt && (await isNewUse(database, id, has.usedAt))) throw changedSince();
  if (isByItself && has === null && !KINDS[operation.kind].deletes) throw changedSince(); // It would be created again.
}

/** Options of a stage that runs the engine. */
type ApplyStage = Pick<Stage, "name" | "limitMs"> & Pick<EngineJob, "only">;

/** Updates the runtime to its desired config, from any state. */
export const applyWith = ({ only, ...stage }: ApplyStage): Stage => ({
  ...stage,
  async run(context) {
    const { operation, deployment, workspace } = context;
    const state = await readState(workspace, operation.deploymentId);
    const isThere = state !== undefined && presentIn(state) !== undefined;
    const asked = isThere ? operation.change : fullChange({ desiredConfig: wholeConfig(context) }, operation.change);
    const mustExist = KINDS[operation.kind].change?.state !== undefined;
    return runEngine(context, {
      verb: "up",
      // The state does not have a protection from before it was recorded there.
      change: deployment.protected ? { ...asked, deployment: { ...asked.deployment, protected: true } } : asked,
      existing: isThere && mustExist ? "must-exist" : "may-be-new",
      refresh: operation.refresh,
      only,
      ...(has(deployment.desiredConfig, "cluster") && { operation: operation.id }),
    });
  },
});

/** Deletes the runtime and its stack. */
export const destroy: Stage = {
  name: "destroy",
  run(context) {
    const mayHaveParts = context.deployment.provisioner !== null;
    return runEngine(context, { verb: "destroy", change: { deployment: {} }, mayHaveParts });
  },
};

/** Deletes some resources of the runtime and their dependents. */
export const destroyParts = (context: StageContext, targets: readonly string[]): Promise<StageEnd> =>
  runEngine(context, { verb: "destroy", change: { deployment: {} }, targets });

const apply = applyWith({ name: "apply" });

/** The stages of an operation on a deployment whose cluster the service does not watch, in order. */
export const deploymentStages = ({ kind }: { readonly kind: OperationKind }): readonly Stage[] => [
  settle,
  KINDS[kind].deletes ? destroy : apply,
];

/** Returns the config that an operation makes. Requests behind it have no part in it. */
const wholeConfig = ({ operation, defaultPlatform }: StageContext): RuntimeConfig =>
  configAfter(operation.previousConfig, operation, defaultPlatform);

/** A stack without resources needs the full request, not only the changed fields. */
export function fullChange(
  { desiredConfig }: Pick<DeploymentRow, "desiredConfig">,
  { move, disk }: RuntimeChange,
): RuntimeChange {
  const { platform, deployment } = desiredConfig as { readonly platform?: string; readonly deployment?: object };
  return withoutUndefined({ deployment: { ...deployment }, platform, move, disk });
}

async function runEngine(
  context: StageContext,
  job: Pick<EngineJob, "verb" | "change" | "existing" | "refresh" | "mayHaveParts" | "only" | "operation" | "targets">,
): Promise<StageEnd> {
  const { operation, defaultPlatform, limitMs, signal, deadline, report, onEngine } = context;
  const gone = await enginesOf(context.database, operation);
  const result = await context.runEngine(
    {
      ...job,
      id: operation.deploymentId,
      command: `${BY_SERVICE}${operation.kind}`,
      defaultPlatform,
      waitSeconds: WAIT_SECONDS,
      gone,
    },
    { limitMs, signal, deadline, onEvents: report, onEngine },
  );
  return endOf(result);
}

function endOf(result: EngineResult | Parameters<typeof brokenFailure>[0]): StageEnd {
  if ("broken" in result) throw brokenFailure(result);
  const { ok, changes, outputs, notes, errors, kind } = result;
  if (!ok) throw new StageFailure(classify(errors, kind));
  return { end: "done", result: { changes, outputs, notes } };
}

/**
 * Returns the engines of earlier operations on this deployment. By default, only those that have ended: a process works
 * on an operation only while it holds the lease, and its engine ends before the lease does, whichever of its processes
 * is stopped: see engine/workers/watchdog.ts. Where a process was killed and its operation taken over earlier, the
 * lease that it had counts; until that is over, only a process of the same machine knows whether the engine has ended.
 */
export async function enginesOf(
  database: StagePlace["database"],
  { deploymentId }: Pick<OperationRow, "deploymentId">,
  which: "ended" | "all" = "ended",
): Promise<readonly EngineRecord[]> {
  const rows = await database
    .selectFrom("operation")
    .select("engines")
    .where("deploymentId", "=", deploymentId)
    .$if(which === "ended", (query) => query.where(sql<boolean>`coalesce(engines_until <= now(), true)`))
    .orderBy("id", "desc")
    .limit(RECENT)
    .execute();
  return rows.flatMap(({ engines }) => engines);
}

const RECENT = 20;

/** Reads the state of a deployment's stack. */
export function readState(workspace: Workspace, id: string): Promise<StackState | undefined> {
  return withStore(workspace, (store) => store.find(RUNTIME_PROJECT, id));
}

/** Reads the locks of a deployment's stack. */
export function readLocks(workspace: Workspace, id: string): Promise<Lock[]> {
  return withStore(workspace, (store) => store.locks(RUNTIME_PROJECT, id));
}

import type { KubeObject } from "../../kubernetes/objects/objects";
import { mayBeForced } from "../../kubernetes/gardener/codes";
import { despiteConflicts } from "../../kubernetes/gardener/write";
import { shootFacts } from "../../kubernetes/gardener/shoot";
import { recordOn } from "../../kubernetes/owners/annotations";
import { judgeOwner } from "../../kubernetes/owners/judge";
import { KYMA_INSTALLATION, KYMA_MODULES, SHOOT } from "../../components/resources/tokens";
import type { ResourceState } from "../../engine/pulumi/state/checkpoint";
import type { ClusterLimits } from "../kinds/clusterLimits";
import { destroy, destroyParts, readState } from "../operations/run/deploymentStages";
import type { Stage, StageContext } from "../operations/run/stage";
import type { ShootsAtWork } from "./shoots";
import { asked, waiting } from "./waiting";

/**
 * Deletes a cluster: first its content, then the cluster itself, then the Director's record and the stack. Waiting for
 * Gardener uses no engine.
 */
export function deletionStages(
  shoots: ShootsAtWork,
  { cleanup, deletion, gone }: ClusterLimits,
  hasKyma: boolean,
): readonly Stage[] {
  return [
    ...(hasKyma ? [cleanUp(shoots, cleanup)] : []),
    begin(shoots, deletion),
    waiting({
      name: "WaitForClusterDeletion",
      goal: "deleted",
      limitMs: gone,
      shoots,
      async rescue({ codes }, context) {
        const own = (await resourcesOf(context)).find(({ type }) => type === SHOOT);
        if (own?.outputs?.["allowForceDeletion"] !== true || !mayBeForced(codes)) return false;
        return whileOwn(shoots, context, own, (live) => shoots.force(context.deployment, live));
      },
    }),
    { ...destroy, limitMs: gone },
  ];
}

/** What has to remove Kyma while the cluster is there. */
const REMOVED_FIRST: readonly string[] = [KYMA_INSTALLATION, KYMA_MODULES];

/**
 * Kyma's own installer or Lifecycle Manager must remove Kyma, or the resources that Kyma created outside the cluster
 * would remain. The engine wakes a hibernated cluster.
 */
function cleanUp(shoots: ShootsAtWork, limitMs: number): Stage {
  return {
    name: "CleanupCluster",
    limitMs,
    async run(context) {
      const parts = (await resourcesOf(context)).filter(({ type }) => REMOVED_FIRST.includes(type));
      if (parts.length === 0) return { end: "done" };
      const live = await asked(shoots.of(context.deployment, context.signal));
      const { apiServer, hibernated } = live ? shootFacts(live) : {};
      const neverWas = apiServer === undefined && hibernated !== true;
      if (neverWas || live?.metadata.deletionTimestamp !== undefined) return { end: "done" };
      return destroyParts(
        context,
        parts.map(({ urn }) => urn),
      );
    },
  };
}

/**
 * Deletes the Shoot only if its UID and its record match the state of the stack. Otherwise the engine decides in a later
 * stage.
 */
function begin(shoots: ShootsAtWork, limitMs: number): Stage {
  return {
    name: "DeprovisionCluster",
    limitMs,
    onlyLooks: true,
    async run(context) {
      const { deployment, operation } = context;
      const own = (await resourcesOf(context)).find(({ type }) => type === SHOOT);
      await whileOwn(shoots, context, own, (live) => shoots.remove(deployment, live, operation.id));
      return { end: "done" };
    },
  };
}

/** Changes the version of the Shoot that was judged to be the stack's. False if it is not, or is gone. */
const whileOwn = (
  shoots: ShootsAtWork,
  { deployment, signal }: StageContext,
  own: ResourceState | undefined,
  change: (live: KubeObject) => Promise<void>,
): Promise<boolean> =>
  asked(
    despiteConflicts(async () => {
      const live = await shoots.of(deployment, signal);
      if (!live || !own?.outputs || !isOwn(live, own.outputs)) return false;
      await change(live);
      return true;
    }),
  );

function isOwn(live: KubeObject, outputs: Readonly<Record<string, unknown>>): boolean {
  const { uid } = live.metadata;
  const { instance = uid, ownerGeneration: generation = 0 } = outputs;
  if (uid === undefined || outputs["uid"] !== uid) return false;
  if (typeof instance !== "string" || typeof generation !== "number") return false;
  const verdict = judgeOwner(recordOn(live), { stack: "", backend: "", owner: instance, generation });
  return verdict === "own" || verdict === "free";
}

const resourcesOf = async ({ workspace, deployment }: StageContext): Promise<readonly ResourceState[]> =>
  (await readState(workspace, deployment.id))?.resources ?? [];
